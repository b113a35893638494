import type { InvariantView } from '@/lib/contract/shapes/live';
import type { InvariantId } from '@/lib/contract/words/invariants';
import type { OnStockOutage, SaleStrategy } from '@/lib/contract/words/sale';

/** The invariants in words. */
export const INVARIANTS = {
  1: 'available + held + sold = total, none negative',
  2: 'sold + held never exceed the total in Postgres',
  3: 'units deducted in Redis are units of live orders or in flight',
  4: "no user has more live units than the limit, or than the campaign's",
  5: 'every order has one accepted purchase, every purchase an order or a recorded compensation',
  6: 'every accepted purchase is found in Redis or Postgres',
  7: 'paid orders have one exact payment, cancelled ones none or a refund',
  8: 'what is booked as paid or sent back is what the provider has',
} as const satisfies Record<InvariantId, string>;

type InvariantResult = InvariantView & { name: string };

export type Verification = {
  saleId: string;
  ok: boolean;
  invariants: InvariantResult[];
};

/** A sale as Postgres has it, with the sums over its orders from the same snapshot. */
export type SaleAccount = {
  saleId: string;
  status: 'draft' | 'published' | 'closed';
  strategy: SaleStrategy;
  onStockOutage: OnStockOutage;
  /** Postgres alone holds the stock, always or while Redis is away. */
  isInDatabase: boolean;
  epoch: number;
  slices: number;
  sliceEpochs: number[];
  limitPerUser: number;
  campaignId: string | null;
  /** The limit per person over all sales of its campaign; null: it has none. */
  campaignLimit: number | null;
  /** −1 = unlimited */
  total: number;
  held: number;
  sold: number;
  orders: number;
  /** Units of orders that wait for payment or are paid. */
  liveUnits: number;
  paidUnits: number;
  /** Units of paid orders whose confirmation has reached the sale's counters and Redis. */
  settledPaidUnits: number;
  /** Units of live orders that name a variant. */
  variantUnits: number;
  /** Its variants in order, with the sums over their orders; empty: it has none. */
  variants: VariantAccount[];
};

export type VariantAccount = {
  stock: number;
  held: number;
  sold: number;
  liveUnits: number;
  paidUnits: number;
  settledPaidUnits: number;
};

export type OrderStatus = 'pending_payment' | 'paid' | 'cancelled' | 'refunded' | 'failed';

/** An order as far as its stock is concerned. */
export type OrderAccount = {
  orderNo: string;
  userId: string;
  units: number;
  /** The number of its variant; 0: it has none. */
  variant: number;
  jti: string;
  status: OrderStatus;
  epoch: number;
  /** True once the order's outcome has reached the stock in Redis. */
  settled: boolean;
};

/** The place where an accepted purchase without an order was found. */
export type Whereabouts =
  | { place: 'outbox' | 'executor' }
  | { place: 'dead_letter'; released: boolean }
  | { place: 'nowhere'; acceptedAgoMs: number };
