/** Shorter words of an account stand in too many good passwords by chance. */
const SHORTEST_WORD = 4;
/** So much of a password must be something else than words of the account. */
const REST_LENGTH = 6;

/** Tells whether a password is little more than the account's own name or address (OWASP ASVS 6.2.11). */
export function isOwnWords(
  password: string,
  { email, name = '' }: { email: string; name?: string },
): boolean {
  const small = password.normalize('NFC').toLowerCase();
  const rest = ownWords(email, name).reduce((text, word) => text.replaceAll(word, ''), small);
  return rest !== small && [...rest].length < REST_LENGTH;
}

/** The longest first, so that none hides in a part of another. */
const ownWords = (email: string, name: string): string[] =>
  [email, name, ...`${email} ${name}`.split(/[\s\p{P}]+/u)]
    .map((word) => word.normalize('NFC').toLowerCase())
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((one, other) => other.length - one.length);
