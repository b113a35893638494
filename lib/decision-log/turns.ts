/** How long a sale rests after its address failed or was slow. */
const REST_MS = 10_000;
const SLOW_MS = 1_000;
/** Of eight posts at once, a single host gets so many at most. */
const MAX_PER_HOST = 2;
/** Sales with a rest that is over are forgotten above so many. */
const MAX_RESTING = 1_000;

export type Turns = {
  /** Runs `work` if it is the sale's turn. @throws Error if not, and what `work` throws */
  take(saleId: string, host: string, work: () => Promise<void>): Promise<void>;
};

/**
 * Shares the posts to merchants' addresses out: one at a time to a sale, two to a host, and after a failure or an
 * answer that took a second none to that sale for ten. So an address that is dead or slow takes no time from others.
 */
export function createTurns(nowMs: () => number = Date.now): Turns {
  const restsUntil = new Map<string, number>();
  const busy = new Set<string>();
  const perHost = new Map<string, number>();
  const rest = (saleId: string) => {
    if (restsUntil.size >= MAX_RESTING)
      for (const [id, until] of restsUntil) if (until <= nowMs()) restsUntil.delete(id);
    restsUntil.set(saleId, nowMs() + REST_MS);
  };
  return {
    async take(saleId, host, work) {
      const ofHost = perHost.get(host) ?? 0;
      if ((restsUntil.get(saleId) ?? 0) > nowMs())
        throw new Error('the address failed or was slow and rests');
      if (busy.has(saleId) || ofHost >= MAX_PER_HOST) throw new Error('the address is being asked');
      busy.add(saleId);
      perHost.set(host, ofHost + 1);
      const began = nowMs();
      try {
        await work();
        if (nowMs() - began >= SLOW_MS) rest(saleId);
        else restsUntil.delete(saleId);
      } catch (error) {
        rest(saleId);
        throw error;
      } finally {
        busy.delete(saleId);
        const left = (perHost.get(host) ?? 1) - 1;
        if (left > 0) perHost.set(host, left);
        else perHost.delete(host);
      }
    },
  };
}
