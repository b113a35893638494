/** What a leaf of a sale's decision log may say; lib/contract/shapes/decision-log.ts says what else it holds. */
export const DECISION_KINDS = [
  'accepted',
  'refused',
  'released',
  'reopened',
  'paid',
  'refunded',
  /** Of a line: the hash of its seed, somebody joined it, what its order follows from, and somebody's result in a draw. */
  'committed',
  'entered',
  'placed',
  'drawn',
  /** Of a waitlist: somebody joined it, got a unit that came back, or was passed over. */
  'enlisted',
  'given_on',
  'passed_over',
  /** Somebody left a line or a waitlist. */
  'left',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
