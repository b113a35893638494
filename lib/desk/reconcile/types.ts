/** What can be wrong between Redis, the outbox, Postgres and the payment providers. */
export const DIFFERENCES = {
  not_loaded: 'Redis does not hold the sale, or holds an old copy',
  lost_release: 'an order ended, its units are still held in Redis',
  lost_confirm: 'an order is paid, its units are still held in Redis',
  orphan_hold: 'units are held for a purchase that is no order and not on its way to one',
  phantom_unit: 'the tiers count units that no purchase accounts for',
  excess_order: 'an order has no units in Redis, which may sell them again',
  broken_counter: "the sale's counters in Postgres are not what its orders add up to",
  payment: 'an order and its payment do not fit together',
  provider_books: 'a payment provider has other books, or could not be asked',
  settings: 'Redis goes by other settings than Postgres has',
} as const;

export type DifferenceKind = keyof typeof DIFFERENCES;

/** The verb that puts a difference right; null = a person has to look. */
export type Repair = 'load' | 'release' | 'confirm' | 'resend' | 'retake' | 'take_back' | 'configure' | 'ask';

/** One difference. Those of the sale as a whole have no order. */
export type Difference = {
  kind: DifferenceKind;
  orderNo: string | null;
  userId: string | null;
  /** One sentence with the numbers. */
  detail: string;
  repair: Repair | null;
};

export type Outcome =
  /** It has been put right. */
  | 'repaired'
  /** It could be repaired, but nobody asked for it, or it did not work this time. */
  | 'open'
  /** For a person. */
  | 'reported';

export type ReconcileCause = 'schedule' | 'demand';

/** What one reconciliation of a sale found. Times in epoch ms. */
export type ReconcileReport = {
  saleId: string;
  cause: ReconcileCause;
  checkedAt: number;
  tookMs: number;
  /** Nothing was wrong, or everything wrong was repaired. */
  ok: boolean;
  /** Purchases on their way to becoming orders: explained, not counted as differences. */
  inFlight: number;
  found: number;
  repaired: number;
  counts: Partial<Record<DifferenceKind, number>>;
  /** The first hundred. */
  differences: (Difference & { outcome: Outcome })[];
};

/** What a reconciliation does one after the other: reads all, waits, looks again at what was wrong, repairs. */
export const RECONCILE_STAGES = ['purchases', 'orders', 'waiting', 'again', 'repairing'] as const;
export type ReconcileStage = (typeof RECONCILE_STAGES)[number];

/** How far one is: `done` of about `total` purchases, orders or differences; both 0 where nothing is counted. */
export type ReconcileProgress = { stage: ReconcileStage; done: number; total: number };
