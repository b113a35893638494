import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { createTriesInMemory } from './tries-in-memory';
import { claimInRedis, settleInRedis } from './tries-in-redis';
import type { Claim, ClaimResult, TryCounter, TryOutcome } from './types';

/** After a failure this process does not ask Redis again for this long, so that no other request waits for it. */
const LEAVE_ALONE_MS = 1_000;

const state = { local: createTriesInMemory(() => Math.floor(performance.now())), askAgainAt: 0 };

/**
 * Asks whether a caller may try something now: all counters must allow it, and all count it, or none. Exact across
 * processes through one script on the cache's Redis; while that can't be reached, only within this process.
 * @param counters 1 to 10. An unsettled claim counts as a failure.
 */
export async function claimTry(counters: readonly TryCounter[]): Promise<ClaimResult> {
  if (performance.now() >= state.askAgainAt) {
    try {
      return await claimInRedis(counters);
    } catch (err) {
      if (!isOutage(err)) throw err;
      state.askAgainAt = performance.now() + LEAVE_ALONE_MS;
      log.warn({ err }, 'tries are counted in this process alone');
    }
  }
  return state.local.claim(counters);
}

/**
 * Records how a claimed try ended. A success clears the `ahead` counters.
 * @returns each counter's failures now; null if Redis could not be reached, and the claim stays as it was
 */
export async function settleTry(claim: Claim, outcome: TryOutcome): Promise<number[] | null> {
  if (claim.isLocal) return state.local.settle(claim, outcome);
  return settleInRedis(claim, outcome).catch((err: unknown) => {
    if (!isOutage(err)) throw err;
    log.warn({ err }, 'the end of a try was not counted');
    return null;
  });
}

/**
 * Returns the result of a claimed try. A try that could not be carried out does not count. @throws whatever the try
 * threw
 */
export async function unlessThrown<T>(claim: Claim, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    await settleTry(claim, 'void');
    throw error;
  }
}
