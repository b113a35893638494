import 'server-only';
import { log } from '@/lib/http/log';
import { validUntil as validUntilMs } from './acquire';
import { countLongHold, countLost, recordHold } from './lock-metrics';
import type { Mutex } from './mutex';
import { type Lock, LockLostError } from './types';

/** Renewals per time to live. With three of them, one failed renewal does not lose the lock. */
const RENEWALS_PER_TTL = 3;

/** A lock in use. It is renewed until the last user of the hold has left. */
export type Hold = {
  readonly lock: Lock;
  /** Joins the hold. Returns false if the lock was lost or released. */
  enter(): boolean;
  /** Leaves the hold. The last one to leave releases the lock. Never throws: a lock that can't be deleted expires. */
  leave(): Promise<void>;
};

type HoldOptions = {
  mutex: Mutex;
  name: string;
  fence: number;
  ttlMs: number;
  validUntil: number;
  alertAfterMs: number;
};

/** Starts to renew a lock that was just acquired, and watches whether it is lost. */
export function startHold(options: HoldOptions): Hold {
  const { mutex, name, fence, ttlMs } = options;
  const loss = new AbortController();
  const startedAt = performance.now();
  let { validUntil } = options;
  let entered = 1;
  let renewing: Promise<void> = Promise.resolve();
  let renewal = setTimeout(renew, ttlMs / RENEWALS_PER_TTL);
  let deadline = setTimeout(lose, validUntil - startedAt);
  const endAlert = alertWhenLong(options, startedAt);
  for (const timer of [renewal, deadline]) timer.unref();

  const isOver = () => entered === 0 || loss.signal.aborted;

  function renew(): void {
    renewing = renewOnce();
  }

  async function renewOnce(): Promise<void> {
    const sentAt = performance.now();
    // A connection error says nothing about the lock, so we try again until the lock's time is up.
    const renewed = await mutex.renew().catch(() => null);
    if (isOver()) return;
    if (renewed === false) return lose();
    if (renewed) {
      validUntil = validUntilMs(sentAt, ttlMs);
      clearTimeout(deadline);
      deadline = setTimeout(lose, validUntil - performance.now()).unref();
    }
    renewal = setTimeout(renew, ttlMs / RENEWALS_PER_TTL).unref();
  }

  function lose(): void {
    if (isOver()) return;
    stop();
    countLost(name);
    log.warn({ lock: name, fence }, 'a lock was lost');
    loss.abort(new LockLostError(name));
  }

  function stop(): void {
    for (const timer of [renewal, deadline]) clearTimeout(timer);
  }

  return {
    lock: {
      name,
      fence,
      signal: loss.signal,
      remainingMs: () => (isOver() ? 0 : Math.max(0, validUntil - performance.now())),
    },
    enter: () => {
      if (isOver()) return false;
      entered += 1;
      return true;
    },
    leave: async () => {
      entered -= 1;
      if (entered > 0) return;
      stop();
      endAlert();
      recordHold(name, performance.now() - startedAt);
      // Over several nodes, a renewal still under way could set the lock again after we delete it here.
      await renewing;
      await mutex.withdraw().catch(() => undefined);
    },
  };
}

/** Counts and logs a hold that lasts long. @returns ends that */
function alertWhenLong({ name, fence, alertAfterMs }: HoldOptions, startedAt: number): () => void {
  let endLongHold = () => {};
  const alert = setTimeout(() => {
    endLongHold = countLongHold(name);
    log.warn({ lock: name, fence, heldMs: Math.round(performance.now() - startedAt) }, 'a lock is held long');
  }, alertAfterMs).unref();
  return () => {
    clearTimeout(alert);
    endLongHold();
  };
}
