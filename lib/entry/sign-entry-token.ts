import { hmac } from '@/lib/hmac';
import { claimsFrom, type EntryClaims, MAX_TOKEN_LENGTH, payloadFrom } from './entry-claims';
import { entryKeys } from './entry-keys';

/**
 * Builds an entry token: `payload.signature`, both base64url. The payload is a JSON array of the claims. Anyone can
 * read it, so it must hold no secret. The signature is HMAC-SHA256 with the newest key of `ENTRY_SECRET`.
 *
 * @param claims without a `session` the token is good until it runs out, also after the user signs out.
 * @throws TypeError on claims that verification would refuse.
 */
export function signEntryToken(claims: Omit<EntryClaims, 'session'> & { session?: string }): string {
  const payload = payloadFrom({ session: '', ...claims });
  if (!claimsFrom(payload)) throw new TypeError('not entry claims');
  const [key] = entryKeys();
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  const text = Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url');
  const token = `${text}.${hmac(text, key)}`;
  if (token.length > MAX_TOKEN_LENGTH) throw new TypeError('entry claims are too long');
  return token;
}
