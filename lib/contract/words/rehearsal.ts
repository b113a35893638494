/** Fewest and most made-up shoppers of one rehearsal. */
export const MIN_SHOPPERS = 10;
export const MAX_SHOPPERS = 20_000;

export const REHEARSAL_STATES = ['queued', 'running', 'done', 'failed'] as const;
export type RehearsalState = (typeof REHEARSAL_STATES)[number];

/** What is looked at afterwards; each is a reason against the sale as it is set up if it does not hold. */
export const REHEARSAL_CHECKS = [
  'tiers',
  'messages',
  'limit_per_user',
  'one_answer',
  'not_before_start',
  'after_payment',
  'honest_refused',
  'latency',
] as const;
