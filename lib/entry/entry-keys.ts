import { env } from '@/lib/env';
import { type HmacKey, prepareHmacKey } from '@/lib/hmac';
import { MAX_TOKEN_LENGTH } from './entry-claims';

let cached: { secrets: readonly string[]; keys: HmacKey[] } | undefined;

/** Returns the live keys, newest first. */
export function entryKeys(): readonly HmacKey[] {
  const secrets = env().entrySecrets;
  if (cached?.secrets !== secrets)
    cached = { secrets, keys: secrets.map((secret) => prepareHmacKey(secret, MAX_TOKEN_LENGTH)) };
  return cached.keys;
}
