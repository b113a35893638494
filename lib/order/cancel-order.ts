import 'server-only';
import type { OrderView } from '@/lib/contract/shapes/order';
import { transaction } from '@/lib/db/transaction';
import { cancelOrderRow } from '@/lib/order/records/cancel-order-row';
import { releaseUnits } from '@/lib/sale/records/committed-stock';
import { settleEnded } from '@/lib/settlement/settle-released';
import { findOrder } from './find-order';

type CancelResult = { status: 'cancelled'; order: OrderView } | { status: 'not_cancellable' | 'not_found' };

/** Cancels a shopper's unpaid order. Its units can be bought again at once. */
export async function cancelOrder(userId: string, orderNo: string): Promise<CancelResult> {
  const cancelled = await transaction(async (tx) => {
    const found = await cancelOrderRow(tx, { userId, orderNo }, 'cancelled_by_shopper', {
      kind: 'shopper',
      id: userId,
    });
    if (found) await releaseUnits(tx, found);
    return found;
  });
  if (cancelled) await settleEnded({ orderNo, saleId: cancelled.saleId, userId });
  const order = await findOrder({ userId }, orderNo);
  if (!order) return { status: 'not_found' };
  return cancelled ? { status: 'cancelled', order } : { status: 'not_cancellable' };
}
