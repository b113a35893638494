import 'server-only';
import type { OrderReader } from '@/lib/order/find-order';
import { peekSaleId } from './peek-sale-id';
import { verifyEntry } from './verify-entry';

/**
 * Returns the user that a valid entry token names, else null. Needs no session and no database, and is good for that
 * sale's orders only.
 */
export function identifyTokenHolder(entryToken: string | null): OrderReader | null {
  const saleId = entryToken === null ? null : peekSaleId(entryToken);
  if (entryToken === null || saleId === null) return null;
  const verdict = verifyEntry(entryToken, saleId);
  return verdict.status === 'valid' ? { userId: verdict.claims.userId, saleId: verdict.claims.saleId } : null;
}
