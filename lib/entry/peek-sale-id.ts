import { claimsFrom, MAX_TOKEN_LENGTH } from './entry-claims';

/**
 * Returns the sale that an entry token claims to be for, or null. Verifies nothing. Use it only to call
 * `verifyEntry` where no other source names the sale.
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
