import type { ProvenEntry } from './check-order';
import { sha256, utf8 } from './sha-256';

/** Opens what is hashed, so that the same bytes never mean something else elsewhere. */
const TAG = 'seckill list 1\0';

type Listed = Omit<ProvenEntry, 'passedOver'> & { passedOver?: string | null };

/**
 * Computes what a published list hashes to: SHA-256 of `"seckill list 1" ‖ 0x00` and, in order of their numbers, a line for
 * each entry: number, pseudonym, nonce in hex, weight, place and, of a draw, why it is passed over, with a space after each
 * but the last, and a line feed. In a waiting room people leave at any time, so there the reason is left out.
 * @param entries of all numbers, in any order
 * @returns 32 bytes
 */
export function digestList(isDraw: boolean, entries: readonly Listed[]): Promise<Uint8Array<ArrayBuffer>> {
  const sorted = [...entries].sort((one, other) => one.number - other.number);
  const lines = sorted.map(
    ({ number, pseudonym, nonce, weight, place, passedOver }) =>
      `${number} ${pseudonym} ${nonce.toLowerCase()} ${weight} ${place} ${isDraw ? (passedOver ?? '') : ''}\n`,
  );
  return sha256([utf8(TAG), utf8(lines.join(''))]);
}
