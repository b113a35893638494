import 'server-only';
import { keepRepeated } from '@/lib/loading/keep-accepted';
import { stockAt } from '@/lib/slice/numbers/slices-of';
import { isSameWish, wishOf } from '@/lib/stock/bought';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { readBuyer } from '@/lib/stock/read-buyer';
import type { PurchaseQuestion } from './decider';

/** Returns the answer to repeat if Redis has accepted a purchase with this token; null if it has not. Decides nothing. */
export async function findFirstAnswer(asked: PurchaseQuestion): Promise<PurchaseResult | null> {
  const { saleId, userId, jti } = asked;
  const first = (await readBuyer(saleId, userId)).find((record) => record.jti === jti);
  if (!first) return null;
  if (isSameWish(first, asked)) keepRepeated({ ...asked, ...first, stockId: await stockAt(saleId, userId) });
  return { status: 'replayed', orderNo: first.orderNo, ...wishOf(first) };
}
