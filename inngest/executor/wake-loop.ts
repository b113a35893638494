import 'server-only';

/**
 * Looks whenever it is woken, one look at a time, and by itself after the pause that the last look asked for.
 * @param look returns that pause, ms; at most 0: at once. `isWoken`: it was woken during this look
 * @param settings `pollMs`: the longest pause, and the one after a failed look
 */
export function createWakeLoop(
  look: (isWoken: () => boolean) => Promise<number>,
  { pollMs, onError }: { pollMs: number; onError: (error: unknown) => void },
) {
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;

  function wakeIn(ms: number) {
    clearTimeout(timer);
    if (!isStopping) timer = setTimeout(wake, Math.min(ms, pollMs));
  }

  async function lookUntilIdle() {
    do {
      isWoken = false;
      const pauseMs = await look(() => isWoken);
      if (pauseMs > 0) wakeIn(pauseMs);
      else isWoken = true;
    } while (isWoken && !isStopping);
  }

  function wake() {
    isWoken = true;
    if (looking || isStopping) return;
    looking = lookUntilIdle()
      .catch((error: unknown) => {
        onError(error);
        wakeIn(pollMs);
      })
      .finally(() => {
        looking = undefined;
        // It was woken after the last look and before this line.
        if (isWoken) wake();
      });
  }

  return {
    wake,
    /** Looks no more, and waits for the look under way. */
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
