'use client';

import { useEffect, useState } from 'react';
import { ApiProblem, problemCode } from '@/components/api/api-problem';
import { onWake } from '@/components/clock/on-return';

const DEFAULT_MS = 1_000;

/** A wait that counts down. */
export interface Wait {
  /** Time left, ms; 0 if there is no wait or it is over. */
  leftMs: number;
  /** The wait's whole length, ms. */
  wholeMs: number;
  /** Starts a wait if the error demands one: too many tries. */
  take: (error: unknown) => void;
}

/** Returns the errors to put into words: an error with a wait is left out, because WaitNotice shows it as a countdown. */
export const besidesWait = (error: unknown): unknown =>
  problemCode(error) === 'RATE_LIMITED' ? null : error;

/**
 * Counts a wait down, second by second, with a clock that cannot be set. It stands still while the device sleeps, so
 * that time is taken off.
 */
export function useWait(): Wait {
  const [wait, setWait] = useState({ until: 0, wholeMs: 0 });
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (wait.until === 0) return;
    const timer = setInterval(() => {
      setNow(performance.now());
      if (performance.now() >= wait.until) clearInterval(timer);
    }, 250);
    const stop = onWake((sleptMs) =>
      setWait(({ until, wholeMs }) => ({ until: until - Math.max(0, sleptMs), wholeMs })),
    );
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [wait]);
  return {
    leftMs: Math.max(0, wait.until - now),
    wholeMs: wait.wholeMs,
    take(error) {
      if (!(error instanceof ApiProblem) || error.code !== 'RATE_LIMITED') return;
      const waitMs = error.retryAfterMs ?? DEFAULT_MS;
      setNow(performance.now());
      setWait({ until: performance.now() + waitMs, wholeMs: waitMs });
    },
  };
}
