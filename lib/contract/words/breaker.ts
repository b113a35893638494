/** The state of a breaker: lets calls through, tries one, or lets none through. */
export const BREAKER_STATES = ['closed', 'half_open', 'open'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];
