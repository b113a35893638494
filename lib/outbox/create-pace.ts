/** How soon after an unfilled batch the next one of the same sale or topic may leave, ms: with few, with many. */
const SHORTEST_MS = 100;
const LONGEST_MS = 250;
/** Each sale that is held adds this much: their events share the executor. */
const PER_SALE_MS = 5;
/** How long the next batch waits at most for the one before it to be written, ms. */
const WRITTEN_WITHIN_MS = 1_000;
/** How often to ask what is written, ms. */
const ASK_EVERY_MS = 50;

/** Says when a sale's outbox is to be read again. One for all relay loops of a process. */
export interface Pace {
  /** Splits off the sales that may be read now. `waitMs`: until the next of the others may; Infinity without others. */
  split(saleIds: readonly string[], now: number): { ready: string[]; waitMs: number };
  /**
   * Notes that an unfilled batch of the sale is leaving: the next one collects meanwhile.
   * @param orderNo an order of the batch: once it is written, the next batch may leave
   */
  hold(saleId: string, now: number, orderNo?: string): void;
  /** Returns the orders to ask about now, and notes that it was asked. */
  takeAwaited(now: number): string[];
  /** Notes that these orders are written. */
  release(orderNos: ReadonlySet<string>): void;
}

type Hold = { from: number; until: number; orderNo?: string };

/**
 * Makes purchases that trickle share events. Each event costs the executor, the web process and Postgres the same
 * work, be it of one order or of five hundred: twenty orders a second in twenty events took seconds to be written.
 * The first purchase after a pause leaves at once, the next ones up to a quarter of a second later. If writing takes
 * longer than that, they wait until the batch before them is written, at most a second: batches grow with what waits,
 * instead of queueing at the executor.
 */
export function createPace(): Pace {
  const holds = new Map<string, Hold>();
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    split(saleIds, now) {
      for (const [saleId, { from, until, orderNo }] of holds)
        if (until <= now || (from <= now && orderNo === undefined)) holds.delete(saleId);
      const ready = saleIds.filter((saleId) => !holds.has(saleId));
      const held = saleIds.flatMap((saleId) => holds.get(saleId) ?? []);
      const waits = held.map(({ from, until }) =>
        from > now ? from - now : Math.min(until - now, ASK_EVERY_MS),
      );
      return { ready, waitMs: Math.min(...waits) };
    },
    hold(saleId, now, orderNo) {
      const from = now + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, holds.size * PER_SALE_MS));
      holds.set(saleId, { from, until: orderNo === undefined ? from : now + WRITTEN_WITHIN_MS, orderNo });
    },
    takeAwaited(now) {
      if (now - askedAt < ASK_EVERY_MS) return [];
      askedAt = now;
      return [...holds.values()].flatMap(({ from, orderNo }) => (from <= now && orderNo ? [orderNo] : []));
    },
    release(orderNos) {
      for (const hold of holds.values())
        if (hold.orderNo !== undefined && orderNos.has(hold.orderNo)) hold.orderNo = undefined;
    },
  };
}
