/** The possible differences between Redis, the outbox, Postgres and the payment providers. */
export const DIFFERENCE_KINDS = [
  /** Redis does not hold the sale, or holds an old copy. */
  'not_loaded',
  /** An order has ended, but its units are still held in Redis. */
  'lost_release',
  /** An order is paid, but its units are still held in Redis. */
  'lost_confirm',
  /** Units are held for a purchase that has no order and is not on its way to one. */
  'orphan_hold',
  /** The tiers count units that no purchase accounts for. */
  'phantom_unit',
  /** A live order has no units in Redis, which may sell them again. */
  'excess_order',
  /** The sale's counters in Postgres are not the sums of its orders. */
  'broken_counter',
  /** An order and its payment do not fit together. */
  'payment',
  /** A payment provider has other books, or could not be asked. */
  'provider_books',
  /** Redis has other settings than Postgres. */
  'settings',
  /** Redis lets a person have another share of a campaign's limit than Postgres. */
  'allowance',
  /** Redis and Postgres disagree about who waits for a unit. */
  'waiting_place',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** The functions that repair a difference. */
export const REPAIRS = [
  'load',
  'release',
  'confirm',
  'resend',
  'retake',
  'take_back',
  'configure',
  'ask',
  'allow',
] as const;
export type Repair = (typeof REPAIRS)[number];

/**
 * The outcome of a difference: it was repaired; it could be repaired, but that was not asked for or failed this time;
 * it is for a person.
 */
export const DIFFERENCE_OUTCOMES = ['repaired', 'open', 'reported'] as const;
export type DifferenceOutcome = (typeof DIFFERENCE_OUTCOMES)[number];

export const RECONCILE_CAUSES = ['schedule', 'demand'] as const;
export type ReconcileCause = (typeof RECONCILE_CAUSES)[number];

/** The stages of a reconciliation, in order: reads all, waits, looks again at what was wrong, repairs. */
export const RECONCILE_STAGES = ['purchases', 'orders', 'waiting', 'again', 'repairing'] as const;
export type ReconcileStage = (typeof RECONCILE_STAGES)[number];

/** Which published sales to list: all, or those whose last report found a problem. */
export const RECONCILED_STATES = ['all', 'broken'] as const;
