import type { SaleState } from '@/lib/contract/shapes/sale';

/** How soon the readers of a stream must learn of a change: at once, soon, at any time, or not at all. */
export type Urgency = 'opening' | 'change' | 'stock' | 'none';

const LOOK_EVERY_MS = 100;
const QUIET_MS = 500;
const NEAR_MS = 2_000;
/** Bounds the reads of all sales together to a thousand a second. */
const MS_PER_SALE = 1;
/**
 * Sending to one reader took 7.5 µs on our machine: with this gap, even a state that flaps takes an eighth of the
 * process.
 */
const CHANGE_GAP_MS = 100;
const CHANGE_GAP_MS_PER_READER = 0.05;
const STOCK_GAP_MS = 1_000;
const STOCK_GAP_MS_PER_READER = 0.2;

/** Returns how urgent the news in `now` is for a reader that knows `before`. A new time alone is no news. */
export function newsIn(before: SaleState, now: SaleState): Urgency {
  if (now.gate !== before.gate && now.gate !== null) return 'opening';
  if (
    now.status !== before.status ||
    now.gate !== before.gate ||
    now.paused !== before.paused ||
    now.startsAt !== before.startsAt ||
    now.endsAt !== before.endsAt ||
    now.entryOpensAt !== before.entryOpensAt ||
    now.stock.total !== before.stock.total ||
    now.line?.early !== before.line?.early ||
    now.line?.held !== before.line?.held ||
    now.line?.closed !== before.line?.closed ||
    now.line?.isAway !== before.line?.isAway
  ) {
    return 'change';
  }
  const isSame =
    now.stock.available === before.stock.available &&
    now.line?.admitted === before.line?.admitted &&
    now.line?.lapsed === before.line?.lapsed &&
    now.line?.joined === before.line?.joined;
  return isSame ? 'none' : 'stock';
}

/** Returns how many ms after the last event this one may go out to `readers` of one sale. The opening never waits. */
export function gapMs(urgency: Urgency, readers: number): number {
  switch (urgency) {
    case 'opening':
      return 0;
    case 'change':
      return CHANGE_GAP_MS + readers * CHANGE_GAP_MS_PER_READER;
    case 'stock':
      return Math.max(STOCK_GAP_MS, readers * STOCK_GAP_MS_PER_READER);
    case 'none':
      return Number.POSITIVE_INFINITY;
  }
}

/**
 * Returns in how many ms to read a sale again: ten times a second while it runs or its start or end is near, exactly
 * at the start and the end, otherwise twice a second; changes in between are announced anyway.
 * @param sales how many sales this process follows
 */
export function nextLookMs({ status, serverTime, startsAt, endsAt }: SaleState, sales: number): number {
  const edges = status === 'ended' ? [] : [startsAt, endsAt].filter((at) => at > serverTime);
  const toEdgeMs = Math.min(...edges.map((at) => at - serverTime));
  const isQuick = status === 'live' || status === 'sold_out' || toEdgeMs <= NEAR_MS;
  const regular = Math.max(isQuick ? LOOK_EVERY_MS : QUIET_MS, sales * MS_PER_SALE);
  return Math.max(1, Math.min(regular, toEdgeMs));
}
