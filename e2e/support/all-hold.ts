/** The words on a sale's page in the admin area when its books balance. */
export const ALL_HOLD = 'All 8 invariants hold.';
