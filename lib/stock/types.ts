import type { StockTiers } from '@/lib/contract/shapes/sale';

/** State of one purchase in a sale's buyer record: deducted, paid, given back. */
export type HoldState = 'held' | 'sold' | 'released';

/** One accepted purchase as Redis remembers it. */
export type BuyerRecord = {
  /** Id of the entry token that bought; the idempotency key of the purchase. */
  jti: string;
  orderNo: string;
  units: number;
  state: HoldState;
};

/** All that the hash of a sale holds, with the Redis clock at the moment of reading. Times in ms. */
export type Stock = StockTiers & {
  serverTime: number;
  startsAt: number;
  endsAt: number;
  paused: boolean;
  closed: boolean;
  /** Raw: hiding it before the start is the caller's job. */
  gate: string;
  /** Units one user may have. */
  limit: number;
  /** Counts rebuilds; a purchase under another epoch is refused. */
  epoch: number;
  /** When the last unit went; null while some are left, and if there never was one. */
  soldOutAt: number | null;
};

/** `total` and `available` of a sale without a stock limit. */
export const UNLIMITED = -1;

/** Most units in one purchase, and the highest limit per user. */
export const MAX_QUANTITY = 10_000;
