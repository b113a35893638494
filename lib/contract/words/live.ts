/** How a purchase attempt was answered. */
export const ATTEMPT_OUTCOMES = ['accepted', 'replayed', 'soldOut', 'rateLimited', 'rejected'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
