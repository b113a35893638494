import { timingSafeEqual } from 'node:crypto';
import { hmac } from '@/lib/hmac';
import { claimsFrom, type EntryClaims, MAX_TOKEN_LENGTH } from './entry-claims';
import { entryKeys } from './entry-keys';

const SIGNATURE_LENGTH = 43;

export type EntryVerdict = { status: 'valid' | 'expired'; claims: EntryClaims } | { status: 'invalid' };

const INVALID: EntryVerdict = { status: 'invalid' };

/**
 * Checks an entry token for a sale. This is all the authentication on the hot path: no session, no database. Both
 * live keys verify, so keys rotate without a break. Compares the signature as text and in constant time. As text,
 * because base64url has several spellings of the same bytes, and only ours is accepted.
 *
 * @param saleId a token of another sale is invalid.
 * @param nowMs epoch ms; the token is good before its `expiresAt`.
 */
export function verifyEntryToken(token: string, saleId: string, nowMs: number): EntryVerdict {
  if (token.length > MAX_TOKEN_LENGTH) return INVALID;
  const dot = token.length - SIGNATURE_LENGTH - 1;
  if (dot < 1 || token.charCodeAt(dot) !== 46) return INVALID;
  const payload = token.slice(0, dot);
  const given = Buffer.from(token.slice(dot + 1), 'latin1');
  if (!entryKeys().some((key) => timingSafeEqual(Buffer.from(hmac(payload, key), 'latin1'), given))) {
    return INVALID;
  }
  const claims = claimsFrom(parse(payload));
  if (!claims || claims.saleId !== saleId) return INVALID;
  return { status: nowMs < claims.expiresAt ? 'valid' : 'expired', claims };
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    // Signed by us but not JSON: the key was used for something else, or there is a bug. Refused like any other.
    return null;
  }
}
