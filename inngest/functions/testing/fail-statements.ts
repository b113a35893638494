import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { db, pool } from '@/lib/db/client';

/** A failure by SQLSTATE or by the socket's code. `answerLost`: the statement is carried out first. */
export type Fault = { code: string; answerLost?: boolean };

/** Counts the statements of one piece of work; the one with the number `failsAt` meets the fault, whenever it is sent. */
type Work = { fault: Fault | null; failsAt: number; count: number; failing?: string };

const current = new AsyncLocalStorage<Work>();

/**
 * For tests: runs work whose `failsAt`th statement fails at the driver, as often as it is sent; everything above the
 * driver is as it is. `failStatements` must have been called.
 * @param failsAt 0: none fails
 * @returns what the work gave, or threw, and how many statements it sent
 */
export async function underFault<T>(fault: Fault | null, failsAt: number, work: () => Promise<T>) {
  const own: Work = { fault, failsAt, count: 0 };
  const outcome = await current.run(own, () =>
    work().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    ),
  );
  return { ...outcome, statements: own.count };
}

function errorOf({ code }: Fault): Error {
  if (/^[0-9A-Z]{5}$/.test(code))
    return Object.assign(new pg.DatabaseError('injected', 0, 'error'), { code, severity: 'FATAL' });
  return Object.assign(new Error(`injected ${code}`), { code, syscall: 'connect', errno: -1 });
}

/** The end of a transaction that has failed. */
const END_OF_FAILED = 'ROLLBACK';

type Send = (...args: unknown[]) => Promise<unknown>;
const textOf = (query: unknown) => (typeof query === 'string' ? query : (query as { text: string }).text);

/** Sends a statement, unless it is the one that fails. A commit that fails is none: the server has rolled back. */
async function send(query: Send, args: unknown[]): Promise<unknown> {
  const work = current.getStore();
  const text = textOf(args[0]);
  if (!work || text === END_OF_FAILED) return query(...args);
  work.count += 1;
  if (work.count === work.failsAt) work.failing = text;
  if (!work.fault || work.failing !== text) return query(...args);
  if (work.fault.answerLost) await query(...args);
  else if (text === 'COMMIT') await query('ROLLBACK');
  throw errorOf(work.fault);
}

/** For tests: puts `underFault` between this file's connections and Prisma, once. */
export function failStatements(): void {
  db();
  const connections = pool();
  const query = connections.query.bind(connections) as unknown as Send;
  const connect = connections.connect.bind(connections) as unknown as (
    done?: unknown,
  ) => Promise<pg.PoolClient>;
  Object.assign(connections, {
    query: (...args: unknown[]) => send(query, args),
    // `query` itself connects with a callback: its statement has been counted.
    connect: async (done?: unknown) => (done ? connect(done) : watched(await connect())),
  });
}

const watched = (client: pg.PoolClient): pg.PoolClient =>
  new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target);
      return name === 'query' ? (...args: unknown[]) => send(method, args) : method;
    },
  });
