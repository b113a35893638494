/** The database's clock decides what is due; waking this much later saves a second look when it is a little behind. */
export const CLOCK_MARGIN_MS = 200;
