import { createCipheriv, createHash } from 'node:crypto';

/*
 * What docs/decisions/073 says, written again with other means than the product's, so that a mistake there is none here.
 */

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Computes what is published of a seed beforehand. @param seed hex digits, as the result */
export const hashOf = (seed: string): string => sha256(Buffer.from(seed, 'hex')).toString('hex');

/** Computes the digest of the nonces, in order of joining; hex digits. */
export const digestOf = (nonces: readonly string[]): string =>
  sha256('seckill nonces 1\0', ...nonces.map((nonce) => Buffer.from(nonce, 'hex'))).toString('hex');

/**
 * Recomputes in which order people come.
 * @param entries in order of joining: random values in hex digits, and tickets (1 each in a waiting room)
 * @returns the place of each number
 */
export function recomputePlaces(
  seed: string,
  entries: readonly { nonce: string; weight: number }[],
  beacon: string | null,
): number[] {
  const digest = Buffer.from(digestOf(entries.map(({ nonce }) => nonce)), 'hex');
  const ending = beacon === null ? [Uint8Array.of(0)] : [Uint8Array.of(1), beacon];
  const key = sha256('seckill shuffle 1\0', Buffer.from(seed, 'hex'), digest, ...ending);
  const tickets = entries.flatMap(({ weight }, number) => new Array<number>(weight).fill(number));
  const nextWord = keystream(key);
  for (let at = tickets.length - 1; at > 0; at -= 1) {
    const values = BigInt(at + 1);
    const end = 2n ** 32n - (2n ** 32n % values);
    let word = BigInt(nextWord());
    while (word >= end) word = BigInt(nextWord());
    const other = Number(word % values);
    [tickets[at], tickets[other]] = [tickets[other] as number, tickets[at] as number];
  }
  const order = [...new Set(tickets)];
  const places = new Array<number>(entries.length);
  for (const [place, number] of order.entries()) places[number] = place;
  return places;
}

function keystream(key: Buffer): () => number {
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return () => cipher.update(Buffer.alloc(4)).readUInt32LE(0);
}
