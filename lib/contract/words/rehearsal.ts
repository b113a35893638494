/** The fewest and the most made-up shoppers of one rehearsal. */
export const MIN_SHOPPERS = 10;
export const MAX_SHOPPERS = 20_000;

export const REHEARSAL_STATES = ['queued', 'running', 'done', 'failed'] as const;
export type RehearsalState = (typeof REHEARSAL_STATES)[number];

/** Why a rehearsal failed, where it is known: a sale went live, or was about to, on the same stock Redis. */
export const REHEARSAL_REASONS = ['beside_live'] as const;
export type RehearsalReason = (typeof REHEARSAL_REASONS)[number];

/** The checks after a rehearsal; each that fails is a reason against the sale as it is set up. */
export const REHEARSAL_CHECKS = [
  'tiers',
  'messages',
  'limit_per_user',
  'one_answer',
  'not_before_start',
  'after_payment',
  'honest_refused',
  'latency',
  'line_unit',
  'line_time',
  'draw_first',
] as const;
