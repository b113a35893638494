import type pg from 'pg';
import { db, pool } from '@/lib/db/client';

/** What meets a statement: its text, what sends it, and what rolls back on the same connection. */
type Around = (
  text: string,
  send: () => Promise<unknown>,
  rollBack: () => Promise<unknown>,
) => Promise<unknown>;
type Query = (...args: unknown[]) => Promise<unknown>;

const textOf = (query: unknown) => (typeof query === 'string' ? query : (query as { text: string }).text);

/** For tests: puts `around` between this file's connections and Prisma, once; everything above the driver is as it is. */
export function aroundStatements(around: Around): void {
  db();
  const connections = pool();
  const asked =
    (query: Query): Query =>
    (...args) =>
      around(
        textOf(args[0]),
        () => query(...args),
        () => query('ROLLBACK'),
      );
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

/** The end of a transaction that has failed, and the books of the sandbox, which stand for another company's server. */
export const isAnothers = (text: string): boolean => /^ROLLBACK$|\bsandbox_payments\b/.test(text);
