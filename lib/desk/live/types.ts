import type { BreakerView } from '@/lib/breaker/read-breakers';
import type { ErrorCode } from '@/lib/errors/codes';
import type { StockMode } from '@/lib/fallback/types';
import type { Attempts } from '@/lib/metrics/attempts';
import type { SaleInfo } from '@/lib/sale/types';
import type { SalePhase, StockTiers } from '@/lib/stock/types';
import type { InvariantResult } from '../verify/types';

/** How a sale stands at this instant: the part that is cheap to read. Times in epoch ms. */
export type Situation = {
  sale: SaleInfo;
  /** Who sells it just now; other than `redis` only while a sale that goes over to Postgres has done so. */
  stockMode: StockMode;
  phase: SalePhase | null;
  serverTime: number;
  stock: StockTiers | null;
  database: { held: number; sold: number };
};

/** What is counted once a second for everybody who looks. */
export type Figures = {
  /** When they were counted. */
  at: number;
  /** `cancelled` includes those whose time to pay ran out, `expired`. */
  orders: {
    pendingPayment: number;
    paid: number;
    cancelled: number;
    failed: number;
    expired: number;
    refunded: number;
    written: number;
  };
  queue: {
    outbox: number;
    relayLagMs: number;
    deadLetters: number;
    /** Over the last 10 to 60 s that somebody looked; null at the first look. */
    ordersPerSec: number | null;
  };
  /** Null for a sale that takes none. `written`: those that Postgres has by now. */
  reservations: { reserved: number; written: number } | null;
  attempts: Attempts;
  /** Why purchases were refused, the most frequent first. */
  refusals: { code: ErrorCode; count: number }[];
  risk: { hits: number };
  /** The same by rule, the most frequent first. */
  riskRules: { ruleId: string; name: string; hits: number }[];
  /** The side services as the workers see them; none of them can stop the sale. */
  breakers: BreakerView[];
  invariants: Omit<InvariantResult, 'name'>[];
  /** When the invariants were recomputed; null: never yet. */
  verifiedAt: number | null;
};

export type Live = Situation & Figures;

/** What of a second is drawn over time: counters since the sale began, and how the outbox stood. */
export type LivePoint = Attempts & { at: number; written: number; outbox: number; relayLagMs: number };

export const toPoint = ({ at, attempts, orders, queue }: Figures): LivePoint => ({
  at,
  ...attempts,
  written: orders.written,
  outbox: queue.outbox,
  relayLagMs: queue.relayLagMs,
});
