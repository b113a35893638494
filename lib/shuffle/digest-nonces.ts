import { sha256, utf8 } from './sha-256';

/** Bytes of a nonce. */
export const NONCE_BYTES = 16;
/** A wish is one byte. */
export const MAX_WISH = 255;

/** Opens what is hashed, so that the same bytes never mean something else elsewhere. */
const TAG = utf8('seckill nonces 1\0');
const TAG_WITH_WISHES = utf8('seckill nonces 2\0');

/**
 * Computes the digest of what the entrants brought: SHA-256 of `"seckill nonces 1" ‖ 0x00 ‖ nonce 0 ‖ nonce 1 ‖ …`. Each
 * entrant's browser chose its nonce, so nobody else knows the digest before the last one has joined. With wishes
 * it is that of `"seckill nonces 2" ‖ 0x00 ‖ nonce 0 ‖ wish 0 ‖ …`: no wish can be changed once the order is known.
 * @param nonces 16 bytes each, in order of the entrants' numbers
 * @param wishes the number of the variant that each wished, up to 255; 0: none. Empty, or all 0: there was nothing to wish
 * @throws RangeError on a nonce of another length, or an impossible wish
 */
export async function digestNonces(
  nonces: readonly Uint8Array[],
  wishes: readonly number[] = [],
): Promise<Uint8Array<ArrayBuffer>> {
  for (const nonce of nonces)
    if (nonce.length !== NONCE_BYTES)
      throw new RangeError(`a nonce has ${NONCE_BYTES} bytes, not ${nonce.length}`);
  if (wishes.every((wish) => wish === 0)) return sha256([TAG, ...nonces]);
  const brought = nonces.flatMap((nonce, number) => {
    const wish = wishes[number] ?? 0;
    if (!Number.isInteger(wish) || wish < 0 || wish > MAX_WISH) throw new RangeError(`no variant is ${wish}`);
    return [nonce, Uint8Array.of(wish)];
  });
  return sha256([TAG_WITH_WISHES, ...brought]);
}
