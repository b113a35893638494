import { Keystream } from './keystream';

const WORDS = 2 ** 32;
/** 400 MB of numbers; more than anybody asks for. */
const MAX_COUNT = 100_000_000;

/**
 * Puts the numbers 0 … count − 1 in random order. Anybody can write it again in another language:
 *
 * 1. The words are those of the keystream of AES-256 in counter mode: encrypt zeros under the key, with a 16-byte
 *    big-endian counter that starts at 0, and read each four bytes as a little-endian unsigned number.
 * 2. Start with `order[i] = i`. For i = count − 1, count − 2, … 1 draw j from 0 … i and swap `order[i]` and `order[j]`
 *    (Fisher and Yates, as by Durstenfeld 1964).
 * 3. To draw j from n = i + 1 values take the next word w. If w ≥ 2³² − (2³² mod n), throw it away and take another;
 *    else j = w mod n. So each of the count! orders is equally likely.
 *
 * `order[place]` is the number of whoever has that place.
 * @param key 32 bytes, of `shuffleKey`
 * @param count 0 to 100,000,000
 * @throws RangeError on another count or a key of another length
 */
export async function shuffle(key: Uint8Array, count: number): Promise<Uint32Array<ArrayBuffer>> {
  if (!Number.isInteger(count) || count < 0 || count > MAX_COUNT)
    throw new RangeError(`cannot shuffle ${count}: only 0 to ${MAX_COUNT}`);
  const words = await Keystream.of(key);
  const order = Uint32Array.from({ length: count }, (_, number) => number);
  for (let place = count - 1; place > 0; place -= 1) {
    const values = place + 1;
    const end = WORDS - (WORDS % values);
    let word: number;
    do {
      if (words.isEmpty) await words.fill();
      word = words.next();
    } while (word >= end);
    const other = word % values;
    const number = order[place] as number;
    order[place] = order[other] as number;
    order[other] = number;
  }
  return order;
}
