/**
 * Runs `work` in one tab at a time. Another tab waits for its turn; it also gets it when the first tab closes or
 * crashes half-way. Where the browser has no Web Locks (plain http on another host), `work` runs at once: the
 * server's idempotency makes that safe, and the tabs only send more requests.
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
