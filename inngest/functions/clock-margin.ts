/**
 * How much later than the deadline a timer wakes. The database's clock decides what is due; if it is a little behind,
 * this margin saves a second look.
 */
export const CLOCK_MARGIN_MS = 200;
