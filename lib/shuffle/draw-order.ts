import { shuffle } from './shuffle';

/** The most tickets that one person holds. */
export const MAX_WEIGHT = 100;

/**
 * Draws people one after the other, with chances in proportion to the weights of those who are left (decision 073).
 * Everybody holds `weight` tickets, in the order of the numbers. `shuffle` orders the tickets; a person's place is that
 * of the first ticket. Equal weights of 1 give `shuffle` itself. `order[place]` is the number of the person there.
 * @param key 32 bytes, of `shuffleKey`
 * @param weights of each number; whole, 1 to 100, at most 100,000,000 together
 * @throws RangeError on another weight or a key of another length
 */
export async function drawOrder(
  key: Uint8Array,
  weights: readonly number[],
): Promise<Uint32Array<ArrayBuffer>> {
  let tickets = 0;
  for (const weight of weights) {
    if (!Number.isInteger(weight) || weight < 1 || weight > MAX_WEIGHT)
      throw new RangeError(`a weight is a whole number from 1 to ${MAX_WEIGHT}, not ${weight}`);
    tickets += weight;
  }
  const shuffled = await shuffle(key, tickets);
  if (tickets === weights.length) return shuffled;
  const holderOf = new Uint32Array(tickets);
  let ticket = 0;
  weights.forEach((weight, number) => {
    holderOf.fill(number, ticket, ticket + weight);
    ticket += weight;
  });
  const isDrawn = new Uint8Array(weights.length);
  const order = new Uint32Array(weights.length);
  let place = 0;
  for (const drawn of shuffled) {
    const number = holderOf[drawn] as number;
    if (isDrawn[number]) continue;
    isDrawn[number] = 1;
    order[place] = number;
    place += 1;
  }
  return order;
}
