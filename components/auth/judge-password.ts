import { isOwnWords } from '@/lib/account/own-words';
import { MIN_PASSWORD_LENGTH } from './check-credentials';

/** From this length on a password of ordinary signs can't be tried out, even by whoever has stolen its hash. */
const GOOD_LENGTH = 14;
const FEWEST_SIGNS = 5;

/**
 * What can be said of a new password without a list of common ones, which would weigh more than the page. The server
 * has that list, and refuses them.
 */
export type PasswordVerdict = 'short' | 'own' | 'simple' | 'fair' | 'good';

/** Judges a new password while it is typed. @param account what the form knows of the account so far */
export function judgePassword(
  password: string,
  account: { email: string; name?: string } = { email: '' },
): PasswordVerdict {
  const signs = [...password];
  if (password.length < MIN_PASSWORD_LENGTH) return 'short';
  if (isOwnWords(password, account)) return 'own';
  if (new Set(signs).size < FEWEST_SIGNS || isRow(signs)) return 'simple';
  return signs.length < GOOD_LENGTH ? 'fair' : 'good';
}

/** `abcdefgh`, `87654321`: each sign but one or two follows the one before. */
function isRow(signs: readonly string[]): boolean {
  const steps = signs
    .slice(1)
    .map((sign, at) => Math.abs((sign.codePointAt(0) ?? 0) - (signs[at]?.codePointAt(0) ?? 0)));
  return steps.filter((step) => step !== 1).length <= 2;
}
