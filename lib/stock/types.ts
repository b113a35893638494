import type { StockTiers } from '@/lib/contract/shapes/sale';
import type { Bought } from './bought';

/** State of one purchase in a sale's buyer record: units deducted, paid, given back. */
export type HoldState = 'held' | 'sold' | 'released';

/** One accepted purchase as Redis remembers it. */
export type BuyerRecord = Bought & { state: HoldState };

/** Everything that the hash of a sale holds, with the Redis clock at the moment of reading. Times in ms. */
export type Stock = StockTiers & {
  serverTime: number;
  startsAt: number;
  endsAt: number;
  paused: boolean;
  closed: boolean;
  /** The gate in plain text: the caller must hide it before the start. */
  gate: string;
  /** Units one user may have. */
  limit: number;
  /** Counts rebuilds; a purchase under another epoch is refused. */
  epoch: number;
  /** Units left of each variant, in order; left out: the sale has none. */
  variants?: readonly number[];
  /** When the last unit was taken; null while some are left, and if there never was one. */
  soldOutAt: number | null;
};

/** `total` and `available` of a sale without a stock limit. */
export const UNLIMITED = -1;

/** The most units that the scripts bear in one purchase or as one user's limit. The contract allows fewer (`MAX_QUANTITY`). */
export const MAX_UNITS_IN_SCRIPTS = 10_000;
