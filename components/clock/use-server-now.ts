'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { type ClockSource, clockStore } from './clock-store';
import { msToNextTick } from './countdown-parts';

const SERVER_SNAPSHOT = null;
const subscribe = (listener: () => void) => clockStore().subscribe(listener);
const readSnapshot = () => clockStore().read();
const readOnServer = () => SERVER_SNAPSHOT;

interface ServerNow {
  /** Server time, epoch ms; null until the page has hydrated. */
  now: number | null;
  source: ClockSource | null;
}

/**
 * The tick comes this much late: a few ms late is invisible, a few ms early would show the old figure for one more
 * second.
 */
const AFTER_TICK_MS = 4;

/**
 * Returns the server's time and refreshes it exactly when a countdown to `targetMs` shows another second.
 * @param targetMs the moment counted down to, epoch ms; null ticks at each whole second of the clock
 */
export function useServerNow(targetMs: number | null): ServerNow {
  const snapshot = useSyncExternalStore(subscribe, readSnapshot, readOnServer);
  const [, tick] = useState(0);

  useEffect(() => {
    if (!snapshot) return;
    let timer: ReturnType<typeof setTimeout>;
    const schedule = () => {
      const now = clockStore().now();
      const left = targetMs === null ? 1000 - (now % 1000) : targetMs - now;
      timer = setTimeout(() => {
        tick((count) => count + 1);
        schedule();
      }, msToNextTick(left) + AFTER_TICK_MS);
    };
    schedule();
    return () => clearTimeout(timer);
  }, [snapshot, targetMs]);

  return { now: snapshot ? clockStore().now() : null, source: snapshot?.source ?? null };
}
