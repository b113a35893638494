import { claimsFrom, MAX_TOKEN_LENGTH } from './entry-claims';

/**
 * Which sale an entry token says it is for, or null. Nothing is verified: only good for passing to `verifyEntryToken`
 * where the sale is not known from elsewhere.
 */
export function peekSaleId(token: string): string | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const [payload = ''] = token.split('.', 1);
  try {
    return claimsFrom(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))?.saleId ?? null;
  } catch {
    return null;
  }
}
