/**
 * Runs `work` in one tab at a time. Another tab waits for its turn, also when the first is closed or crashes half-way.
 * Where the browser has no Web Locks (plain http on another host) it runs at once: the server's idempotency makes that
 * safe, only more requests are sent.
 */
export async function withTabLock<T>(
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  if (!('locks' in navigator)) return work();
  try {
    return await navigator.locks.request(name, { signal }, work);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
