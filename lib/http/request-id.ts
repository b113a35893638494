import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

// Routes and what they call may be bundled apart; a request has one id for all of them.
const holder = globalThis as typeof globalThis & { seckillRequest?: AsyncLocalStorage<string> };
holder.seckillRequest ??= new AsyncLocalStorage();
const requests = holder.seckillRequest;

/**
 * Runs a request's handling under an id of its own, which every log line of it carries. Not for the hot routes: they log
 * nothing when all is well.
 */
export const withRequestId = <T>(work: () => T): T => requests.run(randomUUID(), work);

/** The id of the request under way here; undefined outside of one. */
export const currentRequestId = (): string | undefined => requests.getStore();
