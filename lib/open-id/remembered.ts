/**
 * Remembers the one value that `load` brings: many callers at once load it once, and a failure is told to everybody for
 * a moment, so that a server in trouble is not asked by each of a crowd.
 * @param keepMs how long a value is good; @param failMs how long a failure is
 */
export function remembered<T>(
  load: () => Promise<T>,
  { keepMs, failMs }: { keepMs: number; failMs: number },
): { get: () => Promise<T>; loadedAt: () => number; forget: () => void } {
  let held: { value: Promise<T>; at: number; until: number } | undefined;
  const get = () => {
    if (held && performance.now() < held.until) return held.value;
    const value = load();
    const mine = { value, at: performance.now(), until: performance.now() + keepMs };
    held = mine;
    value.catch(() => {
      mine.until = performance.now() + failMs;
    });
    return value;
  };
  return {
    get,
    loadedAt: () => held?.at ?? Number.NEGATIVE_INFINITY,
    forget: () => {
      held = undefined;
    },
  };
}
