/** The answers to a purchase attempt. */
export const ATTEMPT_OUTCOMES = ['accepted', 'replayed', 'soldOut', 'rateLimited', 'rejected'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
