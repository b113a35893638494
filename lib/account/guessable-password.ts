import 'server-only';
import { dictionary } from '@zxcvbn-ts/language-common';
import { isOwnWords } from './own-words';

/** What people put around a common password so that a form takes it. */
const AROUND = /^[^a-z]+|[^a-z]+$/g;
/** A common word with something around it is refused from this length on: shorter ones are part of many phrases. */
const SHORTEST_CORE = 5;

let known: ReadonlySet<string> | undefined;
/** The 49,000 most used passwords that leaked anywhere, in small letters. */
const common = (): ReadonlySet<string> => {
  known ??= new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase()));
  return known;
};

/**
 * Tells whether a password is among the first that somebody would try: one of the most used, also with digits or signs
 * around it, or little more than the account's own name or address (OWASP ASVS 6.2.4 and 6.2.11).
 */
export function isGuessable(
  password: string,
  { email, name = '' }: { email: string; name?: string },
): boolean {
  const small = password.normalize('NFC').toLowerCase();
  if (common().has(small)) return true;
  const core = small.replace(AROUND, '');
  if (core.length >= SHORTEST_CORE && common().has(core)) return true;
  return isOwnWords(password, { email, name });
}
