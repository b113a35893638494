import 'server-only';
import { currentUser } from '@/lib/account/current-user';
import { nowMs } from '@/lib/clock';
import { peekSaleId } from '@/lib/entry/peek-sale-id';
import { verifyEntryToken } from '@/lib/entry/verify-entry-token';
import type { OrderReader } from './find-order';

/**
 * Who asks for an order: the holder of a valid entry token (no session decoding, no database; only that sale's orders),
 * else the signed-in user, else null.
 */
export async function identifyReader(entryToken: string | null): Promise<OrderReader | null> {
  if (entryToken !== null) {
    const saleId = peekSaleId(entryToken);
    const verdict = saleId === null ? null : verifyEntryToken(entryToken, saleId, nowMs());
    if (verdict?.status === 'valid') return { userId: verdict.claims.userId, saleId: verdict.claims.saleId };
  }
  const user = await currentUser();
  return user && { userId: user.userId };
}
