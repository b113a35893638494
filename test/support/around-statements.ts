import type pg from 'pg';
import { db, pool } from '@/lib/db/client';

/** Meets a statement: gets its text, a function that sends it, and one that rolls back on the same connection. */
type Around = (
  text: string,
  send: () => Promise<unknown>,
  rollBack: () => Promise<unknown>,
) => Promise<unknown>;
type Query = (...args: unknown[]) => Promise<unknown>;

const textOf = (query: unknown) => (typeof query === 'string' ? query : (query as { text: string }).text);

/** Only ends a transaction that has failed. */
const ROLLBACK = 'ROLLBACK';

/**
 * For tests: puts `around` between this file's connections and Prisma, once; everything above the driver is as it is.
 * The end of a failed transaction passes by.
 */
export function aroundStatements(around: Around): void {
  db();
  const connections = pool();
  const asked =
    (query: Query): Query =>
    (...args) => {
      const text = textOf(args[0]);
      const send = () => query(...args);
      return text === ROLLBACK ? send() : around(text, send, () => query(ROLLBACK));
    };
  const watched = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const method = value.bind(target);
        return name === 'query' ? asked(method) : method;
      },
    });
  const query = asked(connections.query.bind(connections) as unknown as Query);
  const connect = connections.connect.bind(connections) as unknown as (
    done?: unknown,
  ) => Promise<pg.PoolClient>;
  Object.assign(connections, {
    query,
    // `query` itself connects with a callback: its statement has been counted.
    connect: async (done?: unknown) => (done ? connect(done) : watched(await connect())),
  });
}
