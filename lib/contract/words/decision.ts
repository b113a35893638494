/** What a leaf of a sale's decision log may say; lib/contract/shapes/decision-log.ts says what else it holds. */
export const DECISION_KINDS = [
  'accepted',
  'refused',
  'released',
  'reopened',
  'paid',
  'refunded',
  /**
   * Of a line: the hash of its seed, published with the sale; somebody joined; what the order follows from, and the hash of
   * its list; somebody's result in a draw; a place or a unit given on.
   */
  'committed',
  'entered',
  'placed',
  'drawn',
  /** Somebody came in from a waiting room; somebody waits for a unit that comes back. */
  'admitted',
  'enlisted',
  'given_on',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
