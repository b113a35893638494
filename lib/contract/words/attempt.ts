/** The step that refused a shopper; joining a waiting room or a draw is an entry. */
export const REFUSAL_PLACES = ['entry', 'purchase', 'waitlist'] as const;
export type RefusalPlace = (typeof REFUSAL_PLACES)[number];

/** Measures of the risk rules against the shopper by then, the hardest last. The rule itself stays secret. */
export const RISK_CLASSES = ['none', 'challenged', 'limited', 'blocked'] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];
