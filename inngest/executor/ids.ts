import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MAX_ULID_TIME = 2 ** 48 - 1;
const SEED = /^(\d{1,15}),([A-Za-z0-9+/]{14}==)$/;

function encode(millis: number, entropy: Buffer): string {
  let value = (BigInt(millis) << 80n) | BigInt(`0x${entropy.toString('hex')}`);
  let text = '';
  for (let position = 0; position < 26; position++) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

/**
 * Returns a new ULID for a time in epoch ms. (The ulid package draws its random characters one by one, which took 2 %
 * of the executor's time.)
 */
export function newId(nowMs: number): string {
  return encode(nowMs, randomBytes(10));
}

/**
 * Returns one ULID per event of a request. With the SDK's seed header they are the same each time the SDK repeats the
 * request, so the executor recognises its retries. The arithmetic is the Inngest server's (seed + 1-based index in
 * the last 4 bytes).
 * @param seed the `x-inngest-event-id-seed` header: `<ms>,<base64 of 10 bytes>`; anything else gives new ids.
 */
export function eventIds(seed: string | undefined, count: number): string[] {
  const match = seed?.match(SEED);
  const millis = Number(match?.[1] ?? 0);
  if (!match?.[2] || millis < 1 || millis > MAX_ULID_TIME)
    return Array.from({ length: count }, () => newId(Date.now()));
  const entropy = Buffer.from(match[2], 'base64');
  const base = entropy.readUInt32BE(6);
  return Array.from({ length: count }, (_, index) => {
    entropy.writeUInt32BE((base + index + 1) >>> 0, 6);
    return encode(millis, entropy);
  });
}
