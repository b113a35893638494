import { hash } from 'node:crypto';
import { env } from '@/lib/env';
import { MAX_TOKEN_LENGTH } from './entry-claims';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * A live key, ready to hash with: the two blocks that HMAC (RFC 2104) puts before its message, with room for the
 * message.
 */
type EntryKey = { inner: Buffer; outer: Buffer };

let cached: { secrets: readonly string[]; keys: EntryKey[] } | undefined;

/** Returns the live keys, newest first. */
export function entryKeys(): readonly EntryKey[] {
  const secrets = env().entrySecrets;
  if (cached?.secrets !== secrets) cached = { secrets, keys: secrets.map(prepare) };
  return cached.keys;
}

/**
 * Computes HMAC-SHA256 of a token's payload, base64url (43 characters).
 *
 * Written out as its two hashes: `createHmac` makes a stream object per call. With one per purchase, those took a
 * tenth of the hot path's time, most of it in the garbage collector.
 */
export function signature(payload: string, { inner, outer }: EntryKey): string {
  const length = inner.write(payload, BLOCK_BYTES, 'utf8');
  hash('sha256', inner.subarray(0, BLOCK_BYTES + length), 'buffer').copy(outer, BLOCK_BYTES);
  return hash('sha256', outer, 'base64url');
}

function prepare(secret: string): EntryKey {
  const bytes = Buffer.from(secret, 'utf8');
  const key = bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes;
  const inner = Buffer.alloc(BLOCK_BYTES + 3 * MAX_TOKEN_LENGTH);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    inner[at] = (key[at] ?? 0) ^ 0x36;
    outer[at] = (key[at] ?? 0) ^ 0x5c;
  }
  return { inner, outer };
}
