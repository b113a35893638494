import { createCipheriv, createHash } from 'node:crypto';
import type { LineEntryRow, LineRow } from '../stores/line-rows';

const WORDS = 2 ** 32;
const KEYSTREAM_BYTES = 4_096;

/**
 * Computes which number has each place, from the rule as docs/decisions/073-draw.md tells it and not by the product's code:
 * the key from the seed and the nonces, words of its keystream, Fisher and Yates; of somebody's tickets the first counts.
 */
export function orderOf(
  { seed, beacon }: Pick<LineRow, 'seed' | 'beacon'>,
  entries: readonly Pick<LineEntryRow, 'nonce' | 'weight'>[],
): number[] {
  const sha256 = (...parts: (string | Uint8Array)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const digest = sha256('seckill nonces 1\0', ...entries.map(({ nonce }) => nonce));
  const mark = beacon === null ? '\0' : `\x01${beacon}`;
  const key = sha256('seckill shuffle 1\0', seed, digest, mark);
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(KEYSTREAM_BYTES));
  const tickets = entries.flatMap(({ weight }, number) => Array.from({ length: weight }, () => number));
  let at = 0;
  for (let last = tickets.length - 1; last > 0; last -= 1) {
    let word = WORDS;
    while (word >= WORDS - (WORDS % (last + 1))) {
      word = stream.readUInt32LE(at);
      at += 4;
    }
    const other = word % (last + 1);
    [tickets[last], tickets[other]] = [tickets[other] as number, tickets[last] as number];
  }
  return [...new Set(tickets)];
}
