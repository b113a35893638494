/** Shapes of the HTTP contract as pages need them. Times are epoch milliseconds, money is integer minor units. */

export type SaleStatus = 'scheduled' | 'live' | 'paused' | 'sold_out' | 'ended';

export interface StockView {
  /** −1 = unlimited. */
  total: number;
  available: number;
}

/** When a sale takes reservations: from `opensAt` on, no more from `closesAt` on. */
export interface ReservationWindow {
  opensAt: number;
  closesAt: number;
}

export interface SaleState {
  saleId: string;
  status: SaleStatus;
  serverTime: number;
  startsAt: number;
  endsAt: number;
  entryOpensAt: number | null;
  /** Only where the sale takes reservations. */
  reservation?: ReservationWindow & { reserved: number };
  stock: StockView;
  /** Random part of the purchase address; null until the sale is live. */
  gate: string | null;
  soldOutAt: number | null;
}

export interface SaleListEntry {
  saleId: string;
  slug: string;
  title: string;
  imageUrl: string | null;
  priceMinor: number;
  listPriceMinor: number | null;
  currency: string;
  startsAt: number;
  endsAt: number;
}

export interface LiveSaleListEntry extends SaleListEntry {
  status: SaleStatus;
  stock: StockView;
}

/** What a sale page is made of; the same for everybody, so it is part of the static page. */
export interface SaleInfo extends SaleListEntry {
  entryOpensAt: number | null;
  limitPerUser: number;
  paymentWindowSec: number;
  minLevel: number;
  /** Null = anybody may buy; else only those who reserve in this window. */
  reservation: ReservationWindow | null;
  minAccountAgeSec: number;
  requireVerifiedEmail: boolean;
  challenge: SaleChallenge;
  totalStock: number;
  product: { name: string; description: string; attributes: Record<string, string> };
}

/** What is solved before entry. */
export type SaleChallenge = 'none' | 'pow' | 'slider' | 'arithmetic';

/** What a shopper may do who can't do the sale's puzzle. */
export type ChallengeAlternative = 'puzzle' | 'calculation';

  expiresAt: number;
  /** What may be asked for instead. */
  alternatives: ChallengeKind[];
};

/** Who decides a sale's purchases. */
export type SaleStrategy = 'script' | 'database' | 'lock';

export type LimitAlgorithm = 'fixed-window' | 'sliding-window' | 'token-bucket' | 'leaky-bucket';
export interface LimitPolicy {
  algorithm: LimitAlgorithm;
  limit: number;
  windowSec: number;
}
/** How often one user, one address, and all of them together may ask. */
export interface SaleLimits {
  user?: LimitPolicy;
  ip?: LimitPolicy;
  interface?: LimitPolicy;
}
/** What a sale does while Redis can't be reached. */
export type OnStockOutage = 'closed' | 'database';

/** Who sells a sale just now. */
export type StockMode = 'redis' | 'draining' | 'database' | 'rebuilding';

export interface AdminSale {
  saleId: string;
  slug: string;
  title: string;
  status: 'draft' | 'published' | 'closed';
  paused: boolean;
  /** Null for drafts. */
  phase?: SaleStatus | null;
  priceMinor: number;
  currency: string;
  startsAt: number;
  endsAt: number;
  totalStock: number;
  strategy: SaleStrategy;
  reservation: ReservationWindow | null;
  limits: SaleLimits | null;
  onStockOutage: OnStockOutage;
  challenge: SaleChallenge;
  challengeAlternative: ChallengeAlternative;
  version: number;
}

export interface AdminProduct {
  productId: string;
  name: string;
  slug: string;
  description: string;
  imageUrl: string | null;
  attributes: Record<string, string>;
}

/** A sentence by its code, with what stands in it. */
export interface Statement {
  code: string;
  values: Record<string, string | number>;
}

export interface InvariantView {
  id: number | string;
  ok: boolean;
  /** What proves it, or what is wrong. */
  statements: Statement[];
  /** The same in English. */
  detail: string;
}

export interface BreakerView {
  service: string;
  state: 'closed' | 'half_open' | 'open';
  since: number;
  lastError: string | null;
}

export interface LiveNumbers {
  sale: AdminSale;
  stockMode: StockMode;
  phase: SaleStatus | null;
  serverTime: number;
  /** Null while the sale is not loaded: before it is published, or after the stock store was lost. */
  stock: { total: number; available: number; held: number; sold: number } | null;
  database: { held: number; sold: number };
  /** When the figures below were counted. */
  at: number;
  /** `cancelled` includes `expired`. */
  orders: Record<
    'pendingPayment' | 'paid' | 'cancelled' | 'failed' | 'expired' | 'refunded' | 'written',
    number
  >;
  queue: { outbox: number; relayLagMs: number | null; deadLetters: number; ordersPerSec: number | null };
  /** Null for a sale that takes none. */
  reservations: { reserved: number; written: number } | null;
  attempts: Record<'accepted' | 'replayed' | 'soldOut' | 'rateLimited' | 'rejected', number>;
  /** The most frequent first. */
  refusals: { code: string; count: number }[];
  risk: { hits: number };
  riskRules: { ruleId: string; name: string; hits: number }[];
  breakers: BreakerView[];
  invariants: InvariantView[];
  /** When they were recomputed; null: never yet. */
  verifiedAt: number | null;
}
