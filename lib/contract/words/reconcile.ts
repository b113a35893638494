/** What can be wrong between Redis, the outbox, Postgres and the payment providers. */
export const DIFFERENCE_KINDS = [
  /** Redis does not hold the sale, or holds an old copy. */
  'not_loaded',
  /** An order ended, its units are still held in Redis. */
  'lost_release',
  /** An order is paid, its units are still held in Redis. */
  'lost_confirm',
  /** Units are held for a purchase that is no order and not on its way to one. */
  'orphan_hold',
  /** The tiers count units that no purchase accounts for. */
  'phantom_unit',
  /** An order has no units in Redis, which may sell them again. */
  'excess_order',
  /** The sale's counters in Postgres are not what its orders add up to. */
  'broken_counter',
  /** An order and its payment do not fit together. */
  'payment',
  /** A payment provider has other books, or could not be asked. */
  'provider_books',
  /** Redis goes by other settings than Postgres has. */
  'settings',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** The verbs that put a difference right. */
export const REPAIRS = [
  'load',
  'release',
  'confirm',
  'resend',
  'retake',
  'take_back',
  'configure',
  'ask',
] as const;
export type Repair = (typeof REPAIRS)[number];

/**
 * What became of a difference: it has been put right; it could be repaired, but nobody asked for it, or it did not work this
 * time; it is for a person.
 */
export const DIFFERENCE_OUTCOMES = ['repaired', 'open', 'reported'] as const;
export type DifferenceOutcome = (typeof DIFFERENCE_OUTCOMES)[number];

export const RECONCILE_CAUSES = ['schedule', 'demand'] as const;
export type ReconcileCause = (typeof RECONCILE_CAUSES)[number];

/** What a reconciliation does one after the other: reads all, waits, looks again at what was wrong, repairs. */
export const RECONCILE_STAGES = ['purchases', 'orders', 'waiting', 'again', 'repairing'] as const;
export type ReconcileStage = (typeof RECONCILE_STAGES)[number];

/** Which published sales are listed: all, or those whose last report is not well. */
export const RECONCILED_STATES = ['all', 'broken'] as const;
