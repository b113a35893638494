import { sha256, utf8 } from './sha-256';

/** Bytes of a nonce. */
export const NONCE_BYTES = 16;

/** Opens what is hashed, so that the same bytes never mean something else elsewhere. */
const TAG = utf8('seckill nonces 1\0');

/**
 * Computes the digest of what the entrants brought: SHA-256 of `"seckill nonces 1" ‖ 0x00 ‖ nonce 0 ‖ nonce 1 ‖ …`. Each
 * entrant's browser chose its nonce, so nobody else knows the digest before the last one has joined.
 * @param nonces 16 bytes each, in order of the entrants' numbers
 * @throws RangeError on a nonce of another length
 */
export async function digestNonces(nonces: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  for (const nonce of nonces)
    if (nonce.length !== NONCE_BYTES)
      throw new RangeError(`a nonce has ${NONCE_BYTES} bytes, not ${nonce.length}`);
  return sha256([TAG, ...nonces]);
}
