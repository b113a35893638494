import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { createTriesInMemory } from './tries-in-memory';
import { claimInRedis, settleInRedis } from './tries-in-redis';
import type { Claim, ClaimResult, TryCounter, TryOutcome } from './types';

/** A Redis that was found down is not asked again before, so that nobody else waits for it. */
const LEAVE_ALONE_MS = 1_000;

const state = { local: createTriesInMemory(() => Math.floor(performance.now())), askAgainAt: 0 };

/**
 * Asks whether something may be tried now: by all counters, or by none. Exact across processes by one script on the Redis of
 * the cache; in this process alone while that can't be reached.
 * @param counters 1 to 10. A claim that nobody settles counts as a failure.
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
 * Says how a claimed try ended. A success forgets what was counted ahead.
 * @returns how many failures each counter has now; null if Redis could not be told, and the claim stays as it was
 */
export async function settleTry(claim: Claim, outcome: TryOutcome): Promise<number[] | null> {
  if (claim.isLocal) return state.local.settle(claim, outcome);
  return settleInRedis(claim, outcome).catch((err: unknown) => {
    if (!isOutage(err)) throw err;
    log.warn({ err }, 'the end of a try was not counted');
    return null;
  });
}

/** What a claimed try gives. One that could not be carried out counts for nothing. @throws whatever it threw */
export async function unlessThrown<T>(claim: Claim, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    await settleTry(claim, 'void');
    throw error;
  }
}
