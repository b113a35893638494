const CHECK_EVERY_MS = 1000;
/** A wall clock that is set right by less needs no question. */
const SLEPT_MS = 2000;

/** Returns how far the device's two clocks are apart. Only sleep, and setting the wall clock, change it. */
export const clockGapMs = (): number => Date.now() - performance.now();

/** Tells whether the device slept between two gaps: its monotonic clock and its timers stand still meanwhile. */
export const hasSlept = (beforeMs: number, afterMs: number): boolean =>
  Math.abs(afterMs - beforeMs) > SLEPT_MS;

/**
 * Calls back within a second of the device's waking up. @param wake gets how long it slept, ms; less than 0 if the
 * wall clock was set back. @returns a function that stops it
 */
export function onWake(wake: (sleptMs: number) => void): () => void {
  let gapMs = clockGapMs();
  const timer = setInterval(() => {
    const before = gapMs;
    gapMs = clockGapMs();
    if (hasSlept(before, gapMs)) wake(gapMs - before);
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * Calls back when a visible page may have missed something: the visitor came back to it, the network came back, or the
 * device woke up, of which a page that was visible all the time gets no event. @returns a function that stops it
 */
export function onReturn(back: () => void): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') back();
  };
  const stop = onWake(look);
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', look);
  };
}
