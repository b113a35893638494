import { createHmac } from 'node:crypto';

const BYTES = 16;

/**
 * Returns the name by which somebody stands in a sale's published list: the first 16 bytes of HMAC-SHA256 of
 * `sale ‖ 0x00 ‖ user` under the line's own key, in base64url. Nobody without the key can tell who it is, or find the same
 * person in two sales.
 * @param key of the line; 32 bytes
 */
export const pseudonymOf = (key: Uint8Array, saleId: string, userId: string): string =>
  createHmac('sha256', key).update(`${saleId}\0${userId}`).digest().subarray(0, BYTES).toString('base64url');
