import 'server-only';
import { dictionary } from '@zxcvbn-ts/language-common';
import { easeOf, fold, type Owner } from './easy-password';

/** Digits and signs that people put around a common password so that a form takes it. */
const AROUND = /^[^a-z]+|[^a-z]+$/g;
/** Shorter common words are part of many good passwords. */
const SHORTEST_CORE = 5;

let known: ReadonlySet<string> | undefined;
/** The most used passwords that leaked anywhere. */
const common = (): ReadonlySet<string> => {
  known ??= new Set(dictionary['passwords-common'].map((word) => fold(String(word))));
  return known;
};

/**
 * Tells whether a password is among the first that somebody would try: one of the most used, also with digits or signs
 * around it, a row of characters, or little more than the account's own name or address (OWASP ASVS 6.2.4, 6.2.11).
 */
export function isGuessable(password: string, owner: Owner): boolean {
  const text = fold(password);
  if (common().has(text) || easeOf(text, owner) !== null) return true;
  const core = text.replace(AROUND, '');
  return core.length >= SHORTEST_CORE && common().has(core);
}
