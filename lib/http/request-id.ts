import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { processWide } from '@/lib/process-wide';

const requests = processWide('request-id', () => new AsyncLocalStorage<string>());

/**
 * Handles a request under an id of its own, which every log line of the request carries. Not in the process that sells:
 * on Node 20 the first such request puts a hook on every promise of the process, for good.
 */
export const withRequestId = <T>(work: () => T): T => requests.run(randomUUID(), work);

/** Returns the id of the request under way; undefined outside of one. */
export const currentRequestId = (): string | undefined => requests.getStore();
