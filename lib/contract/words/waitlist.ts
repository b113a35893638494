/** The states of a shopper on a sale's waitlist. */
export const WAITLIST_STATES = [
  /** Has no place, or left it. */
  'none',
  /** Gets the next unit that comes back once the people ahead have theirs. */
  'waiting',
  /** A unit came; `orderNo` is the order, with its own time to pay. */
  'given',
  /** The shopper might not buy any more when a unit was due, or had as many as one person may have. */
  'passed_over',
  /** The sale ended before a unit came. */
  'over',
] as const;

/** The outcome of one place on a waitlist; `waiting`: none yet. */
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
