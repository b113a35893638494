import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

// Routes and the code they call may be in different bundles; a request needs one id for all of them.
const holder = globalThis as typeof globalThis & { seckillRequest?: AsyncLocalStorage<string> };
holder.seckillRequest ??= new AsyncLocalStorage();
const requests = holder.seckillRequest;

/**
 * Handles a request under an id of its own, which every log line of the request carries. Not for the hot routes: they
 * log nothing when all is well.
 */
export const withRequestId = <T>(work: () => T): T => requests.run(randomUUID(), work);

/** Returns the id of the request under way; undefined outside of one. */
export const currentRequestId = (): string | undefined => requests.getStore();
