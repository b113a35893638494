import { isStaff, type Role } from '@/lib/contract/words/roles';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Lifetime = {
  /** The session ends this long after it began, however much it is used, ms. */
  absoluteMs: number;
  /** The session ends when it has not been used for this long, ms. */
  idleMs: number;
};

/** A working day for staff, a month for shoppers: OWASP ASVS 5, chapter 7.3. */
const STAFF: Lifetime = { absoluteMs: 12 * HOUR_MS, idleMs: 2 * HOUR_MS };
const SHOPPER: Lifetime = { absoluteMs: 30 * DAY_MS, idleMs: 7 * DAY_MS };

/** The longest that any session lasts, s. */
export const LONGEST_SESSION_SEC = SHOPPER.absoluteMs / 1_000;

/** Returns how long a session of a user with this role lasts. */
export const lifetimeOf = (role: Role): Lifetime => (isStaff(role) ? STAFF : SHOPPER);
