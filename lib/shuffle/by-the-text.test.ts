import { createCipheriv, createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { cases, SEED } from '@/test/support/random';
import { checkOrder, type ProvenEntry } from './check-order';
import { commitTo } from './commit-to';
import { digestNonces } from './digest-nonces';
import { drawOrder } from './draw-order';
import { shuffleKey } from './shuffle-key';

/* The first half is written from docs/decisions/073-draw.md and 142-wishes.md alone, as a stranger would: it imports nothing of ours. */

type Published = {
  seed: string;
  beacon: string | null;
  entries: { nonce: string; weight: number; variant: number }[];
};

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const ofHex = (text: string): Buffer => Buffer.from(text, 'hex');

function* wordsOf(key: Buffer): Generator<number> {
  const aes = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  for (;;) {
    const bytes = aes.update(Buffer.alloc(4_096));
    for (let at = 0; at < bytes.length; at += 4) yield bytes.readUInt32LE(at);
  }
}

/** Computes the place of each number. */
function placesByTheText({ seed, beacon, entries }: Published): number[] {
  const nonces = ofHex(entries.map(({ nonce }) => nonce).join(''));
  const wishes = entries.flatMap(({ nonce, variant }) => [ofHex(nonce), Buffer.of(variant)]);
  const digest = entries.some(({ variant }) => variant > 0)
    ? sha256('seckill nonces 2', Buffer.of(0), ...wishes)
    : sha256('seckill nonces 1', Buffer.of(0), nonces);
  const end = beacon === null ? [Buffer.of(0)] : [Buffer.of(1), beacon];
  const words = wordsOf(sha256('seckill shuffle 1', Buffer.of(0), ofHex(seed), digest, ...end));
  const holders = entries.flatMap(({ weight }, number) => new Array<number>(weight).fill(number));
  const order = holders.map((_, ticket) => ticket);
  for (let i = order.length - 1; i >= 1; i -= 1) {
    const tooHigh = 2 ** 32 - (2 ** 32 % (i + 1));
    let word: number;
    do word = words.next().value as number;
    while (word >= tooHigh);
    const j = word % (i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  const places = new Map<number, number>();
  for (const ticket of order) {
    const number = holders[ticket] as number;
    if (!places.has(number)) places.set(number, places.size);
  }
  return entries.map((_, number) => places.get(number) as number);
}

/* The second half compares it with ours. */

let taken = 0;
/** Takes the next of the bytes that follow from the seed, 32 at most. */
const randomBytes = (count: number): Buffer => {
  taken += 1;
  return sha256(`${SEED} ${taken}`).subarray(0, count);
};
const randomInt = (from: number, to: number): number => from + (randomBytes(4).readUInt32LE() % (to - from));

const draw = (count: number, weightOf: () => number, beacon: string | null, variants: number): Published => ({
  seed: randomBytes(32).toString('hex'),
  beacon,
  entries: Array.from({ length: count }, () => ({
    nonce: randomBytes(16).toString('hex'),
    weight: weightOf(),
    variant: variants > 0 ? randomInt(1, variants + 1) : 0,
  })),
});

const draws = [
  // The more there are, the more words are thrown away: of 250,000 some four.
  ...[0, 1, 2, 3, 10, 257, cases(62_500)].map((count) => [count, () => 1, null] as const),
  ...[1, 2, 7, 300].map((count) => [count, () => randomInt(1, 101), '7:00ff'] as const),
  ...Array.from(
    { length: 30 },
    () => [randomInt(2, 400), () => randomInt(1, 11), `${randomInt(0, 9)}:é`] as const,
  ),
];

it('[M4] a stranger who has only the text gets the same order, for random seeds, sizes, weights, beacons and wishes', async () => {
  for (const [at, [count, weightOf, beacon]] of draws.entries()) {
    const published = draw(count, weightOf, beacon, at % 3 === 0 ? 0 : randomInt(1, 21));
    const places = placesByTheText(published);
    const seed = ofHex(published.seed);
    const noncesDigest = await digestNonces(
      published.entries.map(({ nonce }) => ofHex(nonce)),
      published.entries.map(({ variant }) => variant),
    );
    const order = await drawOrder(
      await shuffleKey({ seed, noncesDigest, beacon }),
      published.entries.map(({ weight }) => weight),
    );
    expect(order.findIndex((number, place) => places[number] !== place)).toBe(-1);
    const entries = published.entries.map(
      (entry, number): ProvenEntry => ({
        ...entry,
        number,
        pseudonym: String(number),
        place: places[number] as number,
        passedOver: null,
      }),
    );
    const seedHash = Buffer.from(await commitTo(seed)).toString('hex');
    expect(seedHash).toBe(sha256(seed).toString('hex'));
    const proof = { ...published, seedHash, noncesDigest: Buffer.from(noncesDigest).toString('hex') };
    expect(await checkOrder({ ...proof, count, entries })).toEqual({ ok: true, entrants: count });
  }
});
