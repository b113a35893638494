import type { Attempts, BreakerView } from '@/lib/contract/shapes/live';
import type { StockTiers } from '@/lib/contract/shapes/sale';
import type { ProcessFigures } from '@/lib/metrics/publish-figures';
import type { OutboxDepth } from '@/lib/outbox/read-outbox-depth';
import type { Servers } from '@/lib/servers/types';
import type { SliceStock } from '@/lib/stock/read-slice';

/** How a sale stands, according to the store that sells it. `stock`: null while it is not loaded. */
export type SaleInRedis = {
  stock: StockTiers | null;
  outbox: OutboxDepth;
  /** Null unless purchases of the sale wait in a queue. */
  undecided: { count: number; oldestAgeMs: number } | null;
  attempts: Attempts;
};

/** A slice of a split sale, as its server has it. */
type WatchedSlice = { slice: number } & Pick<SliceStock, 'available' | 'held' | 'sold'>;

export type WatchedSale = {
  saleId: string;
  /** Null while Redis can't be reached. */
  inRedis: SaleInRedis | null;
  /** The slices that could be read; empty in an undivided sale. */
  slices: WatchedSlice[];
  reserved: number | null;
  orders: { status: string; count: number }[];
};

export type HitCount = { ruleId: string; recent: number; before: number };

/** The product's state as dashboards and alert rules see it. Ages and lags in ms. */
export type Figures = {
  stores: { redis: boolean; postgres: boolean };
  servers: Servers;
  /** The newest 100 that are open, ended within the hour, or start within the hour. */
  sales: WatchedSale[];
  /** Units still held 5 minutes after their deadline. */
  overdue: { saleId: string; units: number }[];
  messages: { topic: string; due: number; lagMs: number }[];
  deadLetters: { consumer: string; count: number }[];
  /** Payments of the last hour whose money did not fit; without a sale: the payment is not ours. */
  misfits: { saleId: string | null; payments: number }[];
  executor: { due: number; lagMs: number; sleeping: number };
  /** Weeks in a row, from the next one on, that have a partition for marks. */
  markWeeksAhead: number;
  breakers: BreakerView[];
  hits: HitCount[];
  /** Decisions that wait for a signed head of their sale's log. */
  logs: { saleId: string; lagMs: number }[];
  /** Every live process; empty while Redis can't be reached. */
  processes: ProcessFigures[];
};
