import 'server-only';
import { RetryAfterError } from 'inngest';
import { isOutage } from '@/lib/errors/is-outage';

/** How soon a function is called again whose server could not serve it, ms. */
const CALL_AGAIN_MS = 3_000;

/**
 * Runs a function's work. If a server that it needs can't serve now, the function is called again in 3 s: waits that
 * grow are for work that is itself at fault. When its attempts are used up, `gaveUpOnServers` tells its onFailure why.
 * @throws RetryAfterError for an outage; any other error of the work as it is
 */
export async function waitForServers<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && isOutage(error))) throw error;
    throw new RetryAfterError(error.message, CALL_AGAIN_MS, { cause: error });
  }
}

/** Tells whether a run ended because of a server and not because of its work. @param error that onFailure got */
export const gaveUpOnServers = (error: Error): boolean => error.name === 'RetryAfterError';
