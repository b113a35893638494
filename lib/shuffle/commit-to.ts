import { sha256 } from './sha-256';

/** Bytes of a seed. */
export const SEED_BYTES = 32;

/**
 * Returns the hash that is published before anybody can join: SHA-256 of the seed, 32 bytes. It proves later that the
 * seed was not chosen afterwards.
 * @param seed 32 random bytes
 * @throws RangeError on a seed of another length
 */
export async function commitTo(seed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes, not ${seed.length}`);
  return sha256([seed]);
}
