/** Where a shopper was refused; joining a waiting room or a draw is an entry. */
export const REFUSAL_PLACES = ['entry', 'purchase', 'waitlist'] as const;
export type RefusalPlace = (typeof REFUSAL_PLACES)[number];

/** What the risk rules had done about the shopper by then, the hardest last; which rule it was stays secret. */
export const RISK_CLASSES = ['none', 'challenged', 'limited', 'blocked'] as const;
export type RiskClass = (typeof RISK_CLASSES)[number];
