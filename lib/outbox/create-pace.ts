/** How soon after an unfilled batch the next one of the same sale may leave, in ms: with few sales, with many. */
const SHORTEST_MS = 100;
const LONGEST_MS = 250;
/** Each sale that is held adds this much: their events share the executor. */
const PER_SALE_MS = 5;

/** Says when a sale's outbox is to be read again. One for all relay loops of a process. */
export interface Pace {
  /** Splits off the sales that may be read now. `waitMs`: until the next of the others may; Infinity without others. */
  split(saleIds: readonly string[], now: number): { ready: string[]; waitMs: number };
  /** Notes that an unfilled batch of the sale is leaving: the next one collects meanwhile. */
  hold(saleId: string, now: number): void;
}

/**
 * Makes purchases that trickle share events. Each event costs the executor, the web process and Postgres the same
 * work, be it of one order or of five hundred: twenty orders a second in twenty events took seconds to be written.
 * The first purchase after a pause leaves at once, the next ones up to a quarter of a second later.
 */
export function createPace(): Pace {
  const heldUntil = new Map<string, number>();
  return {
    split(saleIds, now) {
      for (const [saleId, until] of heldUntil) if (until <= now) heldUntil.delete(saleId);
      const held = saleIds.flatMap((saleId) => heldUntil.get(saleId) ?? []);
      const ready = saleIds.filter((saleId) => !heldUntil.has(saleId));
      return { ready, waitMs: Math.min(...held) - now };
    },
    hold(saleId, now) {
      heldUntil.set(saleId, now + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, heldUntil.size * PER_SALE_MS)));
    },
  };
}
