/**
 * How a shopper stands on a sale's waitlist:
 * - `none`: has no place, or left it.
 * - `waiting`: gets the next unit that comes back once those ahead have theirs.
 * - `given`: a unit came; `orderNo` is the order, with its own time to pay.
 * - `passed_over`: when a unit was due, the shopper had as many as one person may have.
 * - `over`: the sale ended before a unit came.
 */
export const WAITLIST_STATES = ['none', 'waiting', 'given', 'passed_over', 'over'] as const;
export type WaitlistState = (typeof WAITLIST_STATES)[number];
