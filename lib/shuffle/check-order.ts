import { commitTo, SEED_BYTES } from './commit-to';
import { digestNonces, MAX_WISH, NONCE_BYTES } from './digest-nonces';
import { drawOrder, MAX_WEIGHT } from './draw-order';
import { shuffleKey } from './shuffle-key';

/** One entry of the published list. */
export type ProvenEntry = {
  /** In the order of joining: 0, 1, 2 … */
  number: number;
  pseudonym: string;
  /** 32 hex digits. */
  nonce: string;
  weight: number;
  /** The number of the variant that was wished; 0 or left out: there was nothing to wish. */
  variant?: number;
  place: number;
  /** The reason why this place gets nothing; null: it gets a unit. */
  passedOver: string | null;
};

/** The proof of an order as the shop publishes it, with the values published beforehand. Hex digits throughout. */
export type OrderProof = {
  /** Known before anybody could join. */
  seedHash: string;
  seed: string;
  noncesDigest: string;
  beacon: string | null;
  /** How many were put in order. */
  count: number;
  entries: readonly ProvenEntry[];
};

export type OrderCheck =
  | { ok: true; entrants: number }
  | { ok: false; problem: OrderProblem /** The entry that shows it. */; number?: number };

export type OrderProblem =
  /** A value that none of this can be made of. */
  | 'malformed'
  /** The seed is not the one that was committed to. */
  | 'seed_changed'
  /** A number is missing, doubled or too many: somebody was inserted or dropped. */
  | 'entries_changed'
  /** The nonces, or the wishes, are not those that the digest was made of. */
  | 'nonces_changed'
  /** One person holds two chances. */
  | 'person_twice'
  /** The order that follows is another one. */
  | 'order_changed';

/**
 * Recomputes an order from what was published, and compares each place. It proves that the order follows from the seed
 * that was committed to, these nonces and wishes, this beacon and these weights. It can't tell whether the people are real.
 * @param entries of all numbers, in any order
 * @param committed the hash of the seed as the checker saw it before the start, if he did
 */
export async function checkOrder(proof: OrderProof, committed = proof.seedHash): Promise<OrderCheck> {
  const seed = fromHex(proof.seed, SEED_BYTES);
  const digest = fromHex(proof.noncesDigest, 32);
  if (!seed || !digest) return { ok: false, problem: 'malformed' };
  const seedHash = toHex(await commitTo(seed));
  if (seedHash !== proof.seedHash.toLowerCase() || seedHash !== committed.toLowerCase())
    return { ok: false, problem: 'seed_changed' };

  const sorted = [...proof.entries].sort((one, other) => one.number - other.number);
  const nonces: Uint8Array[] = [];
  const holders = new Set<string>();
  const wishes = sorted.map(({ variant = 0 }) => variant);
  for (const [at, { number, nonce, weight, pseudonym, passedOver }] of sorted.entries()) {
    if (number !== at) return { ok: false, problem: 'entries_changed', number };
    const bytes = fromHex(nonce, NONCE_BYTES);
    if (!bytes || !isWithin(weight, 1, MAX_WEIGHT) || !isWithin(wishes[at] ?? 0, 0, MAX_WISH))
      return { ok: false, problem: 'malformed', number };
    nonces.push(bytes);
    // A person who left and joined again has two entries, one of them passed over.
    if (passedOver !== null) continue;
    if (holders.has(pseudonym)) return { ok: false, problem: 'person_twice', number };
    holders.add(pseudonym);
  }
  if (sorted.length !== proof.count) return { ok: false, problem: 'entries_changed' };
  if (toHex(await digestNonces(nonces, wishes)) !== proof.noncesDigest.toLowerCase())
    return { ok: false, problem: 'nonces_changed' };

  const key = await shuffleKey({ seed, noncesDigest: digest, beacon: proof.beacon });
  const order = await drawOrder(
    key,
    sorted.map(({ weight }) => weight),
  );
  for (const [place, number] of order.entries())
    if (sorted[number]?.place !== place) return { ok: false, problem: 'order_changed', number };
  return { ok: true, entrants: sorted.length };
}

const isWithin = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Null: not hex, or not of this length. */
function fromHex(text: unknown, length: number): Uint8Array | null {
  if (typeof text !== 'string' || text.length !== 2 * length || !/^[0-9a-f]*$/i.test(text)) return null;
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}
