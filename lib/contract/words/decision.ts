/** Kinds of leaves in a sale's decision log; lib/contract/shapes/decision-log.ts has the details of each. */
export const DECISION_KINDS = [
  'accepted',
  'refused',
  'released',
  'reopened',
  'paid',
  'refunded',
  /**
   * Waiting room or draw: the hash of its seed, a person joined, the values behind its order, and a person's result in
   * a draw.
   */
  'committed',
  'entered',
  'placed',
  'drawn',
  /** Waitlist: a person joined it, got a unit that came back, or was passed over. */
  'enlisted',
  'given_on',
  'passed_over',
  /** A person left a waiting room, draw or waitlist. */
  'left',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
