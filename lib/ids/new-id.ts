import { createHash, randomFillSync } from 'node:crypto';

/** Crockford's base32, lower case: no letters that look alike, and text sorts like the bits it stands for. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;
const POOL_SIZE = 4_096;

const pool = Buffer.allocUnsafe(POOL_SIZE);
let used = POOL_SIZE;

/**
 * Returns a new id such as `sale_01kap3v5x8…`: 48 bits of time (so new rows land together in an index) and 80 random
 * bits, as 26 characters of base32. Only `[a-z0-9_]`: safe in addresses, Redis keys and buyer records.
 *
 * @param prefix what it names, `[a-z0-9]{1,16}`. @throws TypeError on another prefix.
 */
export function newId(prefix: string, nowMs = Date.now()): string {
  if (!/^[a-z0-9]{1,16}$/.test(prefix)) throw new TypeError(`not a prefix: ${prefix}`);
  let time = '';
  for (let rest = nowMs, i = 0; i < TIME_CHARS; i += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${time}${randomText(RANDOM_CHARS)}`;
}

/**
 * Returns the id that a name leads to, in the form of `newId`: the same name always leads to the same one.
 * @param prefix what it names, `[a-z0-9]{1,16}`
 */
export function idOf(prefix: string, name: string): string {
  const hash = createHash('sha256').update(`${prefix} ${name}`).digest();
  const text = [...hash.subarray(0, TIME_CHARS + RANDOM_CHARS)].map((byte) => ALPHABET.charAt(byte & 31));
  return `${prefix}_${text.join('')}`;
}

/**
 * Returns random base32 text, 5 bits per character, from the operating system's generator. Has no prefix and no time:
 * for gates and token ids, which must not be guessable.
 * @param length characters, 1 … 64.
 */
export function randomText(length: number): string {
  if (!Number.isInteger(length) || length < 1 || length > 64) throw new RangeError(`not a length: ${length}`);
  if (used + length > POOL_SIZE) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (const byte of pool.subarray(used, used + length)) text += ALPHABET.charAt(byte & 31);
  // Handed-out bytes must not stay readable in the pool.
  pool.fill(0, used, used + length);
  used += length;
  return text;
}
