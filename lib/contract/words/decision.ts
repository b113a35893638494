/** What a leaf of a sale's decision log may say; lib/contract/shapes/decision-log.ts says what else it holds. */
export const DECISION_KINDS = [
  'accepted',
  'refused',
  'released',
  'reopened',
  'paid',
  'refunded',
  /** Of a line: joined it, the place given at the start, the result of the draw, and a unit given on to the next. */
  'entered',
  'placed',
  'drawn',
  'given_on',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
