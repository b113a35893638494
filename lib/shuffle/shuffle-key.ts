import { SEED_BYTES } from './commit-to';
import { sha256, utf8 } from './sha-256';

const TAG = utf8('seckill shuffle 1\0');
const DIGEST_BYTES = 32;

interface KeyParts {
  /** The secret to which the shop committed before anybody could join; 32 bytes. */
  seed: Uint8Array;
  /** `digestNonces` of the entrants' nonces; 32 bytes. */
  noncesDigest: Uint8Array;
  /** A public value that came to be after the last one joined, as text; null: none was reachable. */
  beacon: string | null;
}

/**
 * Computes the key of a shuffle: SHA-256 of `"seckill shuffle 1" ‖ 0x00 ‖ seed ‖ digest of nonces ‖ beacon`, where the
 * beacon is one byte 0x00 if there is none, else 0x01 and its text in UTF-8.
 * @returns 32 bytes
 * @throws RangeError on a seed or digest of another length
 */
export async function shuffleKey({ seed, noncesDigest, beacon }: KeyParts): Promise<Uint8Array<ArrayBuffer>> {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes, not ${seed.length}`);
  if (noncesDigest.length !== DIGEST_BYTES)
    throw new RangeError(`a digest has ${DIGEST_BYTES} bytes, not ${noncesDigest.length}`);
  const mark = Uint8Array.of(beacon === null ? 0 : 1);
  return sha256([TAG, seed, noncesDigest, mark, utf8(beacon ?? '')]);
}
