/** What a sale's page in the admin area says when its books balance. */
export const ALL_HOLD = 'All 8 invariants hold.';
