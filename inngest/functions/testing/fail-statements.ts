import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { aroundStatements } from '@/test/support/around-statements';

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

/** For tests: lets `underFault` meet the statements of this file, once. A commit that fails is none: the server has rolled back. */
export function failStatements(): void {
  aroundStatements(async (text, send, rollBack) => {
    const work = current.getStore();
    if (!work) return send();
    work.count += 1;
    if (work.count === work.failsAt) work.failing = text;
    if (!work.fault || work.failing !== text) return send();
    if (work.fault.answerLost) await send();
    else if (text === 'COMMIT') await rollBack();
    throw errorOf(work.fault);
  });
}
