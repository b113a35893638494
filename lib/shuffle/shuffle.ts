import { Keystream } from './keystream';

const WORDS = 2 ** 32;
/** 400 MB of numbers; more than anybody asks for. */
const MAX_COUNT = 100_000_000;

/**
 * Puts the numbers 0 … count − 1 in random order, by the shuffle of Fisher and Yates (Durstenfeld 1964) over the words
 * of an AES-256 keystream. Words that would make some orders likelier are thrown away. Decision 073 has the rule in
 * words, so that anybody can write it in another language. `order[place]` is the number at that place.
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
