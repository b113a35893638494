import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkOrder, type OrderProof } from './check-order';
import { commitTo } from './commit-to';
import { digestNonces } from './digest-nonces';
import { drawOrder } from './draw-order';
import { shuffleKey } from './shuffle-key';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());

/** Publishes as an honest shop would. */
async function honest(
  weights: number[],
  beacon: string | null = '12:ab',
  wishes: readonly number[] = [],
): Promise<OrderProof> {
  const seed = bytesOf('seed');
  const nonces = weights.map((_, number) => bytesOf(`nonce ${number}`).slice(0, 16));
  const noncesDigest = await digestNonces(nonces, wishes);
  const order = await drawOrder(await shuffleKey({ seed, noncesDigest, beacon }), weights);
  const places = new Map([...order].map((number, place) => [number, place]));
  return {
    seedHash: hex(await commitTo(seed)),
    seed: hex(seed),
    noncesDigest: hex(noncesDigest),
    beacon,
    count: weights.length,
    entries: nonces.map((nonce, number) => ({
      number,
      pseudonym: `p${number}`,
      nonce: hex(nonce),
      weight: weights[number] as number,
      variant: wishes[number] ?? 0,
      place: places.get(number) as number,
      passedOver: null,
    })),
  };
}

const weights = Array.from({ length: 60 }, (_, number) => 1 + (number % 4));

it('[M4] passes what an honest shop publishes: with weights, without, with one entrant and none', async () => {
  expect(await checkOrder(await honest(weights))).toEqual({ ok: true, entrants: 60 });
  expect(await checkOrder(await honest(new Array(60).fill(1), null))).toEqual({ ok: true, entrants: 60 });
  expect(await checkOrder(await honest([3]))).toEqual({ ok: true, entrants: 1 });
  expect(await checkOrder(await honest([]))).toEqual({ ok: true, entrants: 0 });
  const proof = await honest(weights);
  const mixed = { ...proof, entries: [...proof.entries].reverse() };
  expect(await checkOrder(mixed)).toEqual({ ok: true, entrants: 60 });
});

type Entry = OrderProof['entries'][number];
const change = (proof: OrderProof, number: number, to: Partial<Entry>): OrderProof => ({
  ...proof,
  entries: proof.entries.map((entry) => (entry.number === number ? { ...entry, ...to } : entry)),
});

it.each<[string, string, (proof: OrderProof) => OrderProof]>([
  [
    'two places swapped',
    'order_changed',
    (proof) => {
      const [one, other] = proof.entries as [Entry, Entry];
      return change(change(proof, 0, { place: other.place }), 1, { place: one.place });
    },
  ],
  [
    'somebody inserted',
    'entries_changed',
    (proof) => ({
      ...proof,
      entries: [...proof.entries, { ...(proof.entries[0] as Entry), pseudonym: 'friend' }],
    }),
  ],
  [
    'somebody inserted, and counted',
    'nonces_changed',
    (proof) => ({
      ...proof,
      count: 61,
      entries: [
        ...proof.entries,
        { ...(proof.entries[0] as Entry), number: 60, place: 60, pseudonym: 'friend' },
      ],
    }),
  ],
  ['somebody dropped', 'entries_changed', (proof) => ({ ...proof, entries: proof.entries.slice(1) })],
  [
    'the last dropped, and not counted',
    'nonces_changed',
    (proof) => ({ ...proof, count: 59, entries: proof.entries.slice(0, -1) }),
  ],
  ['a nonce changed', 'nonces_changed', (proof) => change(proof, 7, { nonce: '00'.repeat(16) })],
  ['the seed changed', 'seed_changed', (proof) => ({ ...proof, seed: 'ab'.repeat(32) })],
  ['the digest changed', 'nonces_changed', (proof) => ({ ...proof, noncesDigest: 'ab'.repeat(32) })],
  ['the beacon changed', 'order_changed', (proof) => ({ ...proof, beacon: '13:ab' })],
  ['the beacon left out', 'order_changed', (proof) => ({ ...proof, beacon: null })],
  ['a weight changed', 'order_changed', (proof) => change(proof, 20, { weight: 90 })],
  ['a weight of nothing', 'malformed', (proof) => change(proof, 20, { weight: 0 })],
  ['one person with two chances', 'person_twice', (proof) => change(proof, 9, { pseudonym: 'p1' })],
  ['nonsense for a nonce', 'malformed', (proof) => change(proof, 2, { nonce: 'xyz' })],
  ['nonsense for a seed', 'malformed', (proof) => ({ ...proof, seed: '' })],
])('[M4] catches %s', async (_, problem, tamper) => {
  expect(await checkOrder(tamper(await honest(weights)))).toMatchObject({ ok: false, problem });
});

it('[O3 M4] catches a wish that was changed once the order was known, one that was made up, and one that was left out', async () => {
  const proof = await honest(
    weights,
    '12:ab',
    weights.map((_, number) => 1 + (number % 3)),
  );
  expect(await checkOrder(proof)).toEqual({ ok: true, entrants: 60 });
  const problemOf = async (tampered: OrderProof) => {
    const { ok, ...found } = await checkOrder(tampered);
    return ok ? null : found;
  };
  for (const variant of [0, 3])
    expect(await problemOf(change(proof, 7, { variant }))).toEqual({ problem: 'nonces_changed' });
  for (const variant of [-1, 256, 1.5])
    expect(await problemOf(change(proof, 7, { variant }))).toEqual({ problem: 'malformed', number: 7 });
  const without = { ...proof, entries: proof.entries.map(({ variant: _, ...entry }) => entry) };
  expect(await problemOf(without)).toEqual({ problem: 'nonces_changed' });
  expect(await problemOf(change(await honest(weights), 7, { variant: 1 }))).toEqual({
    problem: 'nonces_changed',
  });
});

it('[M4] catches a seed chosen afterwards together with its hash, for whoever saw the hash before', async () => {
  const proof = await honest(weights);
  const seed = bytesOf('a better seed');
  const noncesDigest = Buffer.from(proof.noncesDigest, 'hex');
  const order = await drawOrder(await shuffleKey({ seed, noncesDigest, beacon: proof.beacon }), weights);
  const places = new Map([...order].map((number, place) => [number, place]));
  const forged: OrderProof = {
    ...proof,
    seed: hex(seed),
    seedHash: hex(await commitTo(seed)),
    entries: proof.entries.map((entry) => ({ ...entry, place: places.get(entry.number) as number })),
  };
  expect(await checkOrder(forged)).toMatchObject({ ok: true });
  expect(await checkOrder(forged, proof.seedHash)).toEqual({ ok: false, problem: 'seed_changed' });
});

it('[M4] lets who left and came again appear twice', async () => {
  const proof = await honest(weights);
  const twice = change(change(proof, 3, { pseudonym: 'p4', passedOver: 'left' }), 4, { pseudonym: 'p4' });
  expect(await checkOrder(twice)).toMatchObject({ ok: true });
});
