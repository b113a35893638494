/** Moments of one span, each waited for by any number. */
export type Moments = {
  /** Resolves at the moment, or at once if it is over. @param atMs whole ms since the beginning of the span */
  at: (atMs: number) => Promise<void>;
  /** Looks which moments have come. Call it often. */
  look: () => void;
  stop: () => void;
};

const LOOK_EVERY_MS = 2;

/**
 * Lets people act at moments of their own within a span. Timers would not: an event loop that has ten thousand sockets
 * to read comes to no timer before it has read them all, half a second late. So code that reads also looks here.
 * @param from epoch ms
 */
export function createMoments(from: number, withinMs: number): Moments {
  const waiting: (() => void)[][] = Array.from({ length: withinMs + 1 }, () => []);
  let next = 0;
  const look = () => {
    for (const now = Date.now() - from; next <= now && next <= withinMs; next += 1)
      for (const go of waiting[next]?.splice(0) ?? []) go();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    at: (atMs) => (atMs < next ? Promise.resolve() : new Promise((go) => waiting[atMs]?.push(go))),
    look,
    stop: () => clearInterval(timer),
  };
}
