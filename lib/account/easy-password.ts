/** Shorter words of an account stand in too many good passwords by chance. */
const SHORTEST_WORD = 4;
/** How many characters of a password must be something else than words of the account. */
const REST_LENGTH = 6;
const FEWEST_CHARACTERS = 5;

/** Why a password is easy to guess. `own`: by its account's name and address; `simple`: by anybody. */
export type Ease = 'own' | 'simple';

/** The password's owner, as far as that is known. */
export type Owner = { email: string; name?: string };

/**
 * Tells what makes a password easy to guess for somebody who has no list of common ones; null: nothing. The pages ask
 * it while a password is typed, because such a list weighs more than a page.
 */
export function easeOf(password: string, owner: Owner): Ease | null {
  const text = fold(password);
  if (isOwnWords(text, owner)) return 'own';
  return new Set(text).size < FEWEST_CHARACTERS || isRow(text) ? 'simple' : null;
}

/** Makes alike what people type alike: capitals and small letters, wide and narrow ones. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Tells whether a password is little more than the account's own name or address (OWASP ASVS 6.2.11). */
function isOwnWords(text: string, { email, name = '' }: Owner): boolean {
  const rest = ownWords(email, name).reduce((left, word) => left.replaceAll(word, ''), text);
  return rest !== text && [...rest].length < REST_LENGTH;
}

/** The longest first, so that none hides in a part of another. */
const ownWords = (email: string, name: string): string[] =>
  [email, name, ...`${email} ${name}`.split(/[\s\p{P}]+/u)]
    .map(fold)
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((one, other) => other.length - one.length);

/** `abcdefgh`, `87654321`: each character but one or two follows the one before. */
function isRow(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const breaks = codes.slice(1).filter((code, at) => Math.abs(code - (codes[at] ?? 0)) !== 1);
  return breaks.length <= 2;
}
