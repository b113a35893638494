import { processWide } from '@/lib/process-wide';

/** How a try to sign in ended. `limited`: told to wait. `busy`: too many passwords were being checked. */
export const SIGN_IN_OUTCOMES = ['signed_in', 'wrong', 'limited', 'busy'] as const;
type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

type SignInCounts = Record<SignInOutcome, number> & {
  /** Accounts that came under attack. */
  attacked: number;
};

const counts = processWide(
  'sign-ins',
  (): SignInCounts => ({ signed_in: 0, wrong: 0, limited: 0, busy: 0, attacked: 0 }),
);

/** Counts a try to sign in, or an account that came under attack, in memory only. */
export function countSignIn(what: keyof SignInCounts): void {
  counts[what] += 1;
}

/** Returns what this process has counted since it started. */
export const readSignIns = (): Readonly<SignInCounts> => counts;
