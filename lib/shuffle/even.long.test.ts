import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { drawOrder } from './draw-order';
import { shuffle } from './shuffle';

const keyOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

/** Sum of (seen − expected)² ÷ expected. */
const chiSquare = (seen: number[], expected: (at: number) => number) =>
  seen.reduce((sum, count, at) => sum + (count - expected(at)) ** 2 / expected(at), 0);

it('[M1] is even: each of 120 orders of five, and each number at each of 20 places, equally often', async () => {
  const orders = new Map<string, number>();
  const places = new Array<number>(400).fill(0);
  for (let round = 0; round < 12_000; round += 1) {
    const order = (await shuffle(keyOf(`even ${round}`), 5)).join('');
    orders.set(order, (orders.get(order) ?? 0) + 1);
    if (round < 4000)
      (await shuffle(keyOf(`even ${round}`), 20)).forEach((number, place) => {
        places[20 * number + place] = (places[20 * number + place] as number) + 1;
      });
  }
  expect(orders.size).toBe(120);
  // 119 and 361 degrees of freedom: exceeded once in a thousand by chance. The keys are fixed, so this isn't chance.
  expect(chiSquare([...orders.values()], () => 100)).toBeLessThan(173.6);
  expect(chiSquare(places, () => 200)).toBeLessThan(449.6);
});

it('[M4] draws one after the other in proportion to weights', async () => {
  const weights = [1, 2, 3, 4];
  const total = 10;
  const firsts = new Array<number>(4).fill(0);
  const pairs = new Map<string, number>();
  const rounds = 20_000;
  for (let round = 0; round < rounds; round += 1) {
    const [first = 0, second = 0] = await drawOrder(keyOf(`weighted ${round}`), weights);
    firsts[first] = (firsts[first] as number) + 1;
    pairs.set(`${first}${second}`, (pairs.get(`${first}${second}`) ?? 0) + 1);
  }
  const chance = (number: number) => (weights[number] as number) / total;
  expect(chiSquare(firsts, (number) => rounds * chance(number))).toBeLessThan(16.27);
  const names = upTo(4).flatMap((first) =>
    upTo(4)
      .filter((second) => second !== first)
      .map((second) => [first, second]),
  );
  const seen = names.map(([first, second]) => pairs.get(`${first}${second}`) ?? 0);
  const expected = names.map(
    ([first = 0, second = 0]) =>
      rounds * chance(first) * ((weights[second] as number) / (total - (weights[first] as number))),
  );
  // 11 degrees of freedom, one in a thousand.
  expect(chiSquare(seen, (at) => expected[at] as number)).toBeLessThan(31.26);
});
