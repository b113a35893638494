/**
 * How a shopper stands on a sale's waitlist:
 * - `none`: has no place, or left it.
 * - `waiting`: gets the next unit that comes back once those ahead have theirs.
 * - `given`: a unit came; `orderNo` is the order, with its own time to pay.
 * - `passed_over`: when a unit was due, the shopper might not buy any more, or had as many as one person may have.
 * - `over`: the sale ended before a unit came.
 */
export const WAITLIST_STATES = ['none', 'waiting', 'given', 'passed_over', 'over'] as const;

/** What became of one place on a waitlist; of `waiting` nothing has. */
export const WAITLIST_OUTCOMES = ['waiting', 'given', 'left', 'passed_over'] as const;

/** Why a unit that was due passed somebody over; column `waitlist_entries.passed_why`. */
export const WHY_PASSED = [
  'left',
  'banned',
  'blocked',
  'level_too_low',
  'account_too_new',
  'email_unverified',
  'not_reserved',
  'no_account',
  /** Had as many units as one person may have. */
  'limit_reached',
  /** Had a later place. */
  'joined_again',
  /** The release before this one passed them over. */
  'not_recorded',
] as const;
export type WhyPassed = (typeof WHY_PASSED)[number];
