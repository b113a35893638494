/** What a sale's page at the desk says when its books are right. */
export const ALL_HOLD = 'All 8 invariants hold.';
