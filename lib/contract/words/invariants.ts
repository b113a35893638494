/** The invariants by number, as the design states them. */
export const INVARIANT_IDS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type InvariantId = (typeof INVARIANT_IDS)[number];
