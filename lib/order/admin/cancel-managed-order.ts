import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { ManagedOrderView } from '@/lib/contract/shapes/order';
import { transaction } from '@/lib/db/transaction';
import { noticesOf } from '@/lib/order/records/announce';
import { cancelOrderRow } from '@/lib/order/records/cancel-order-row';
import { putMessages } from '@/lib/outbox/put-message';
import { releaseUnits } from '@/lib/sale/records/committed-stock';
import { settleEnded } from '@/lib/settlement/settle-released';
import { findManagedOrder } from './find-managed-order';
import { readManagedOrder } from './read-managed-order';

type CancelManagedResult =
  | { status: 'cancelled'; order: ManagedOrderView }
  | { status: 'not_cancellable'; is: string }
  | { status: 'not_found' };

/**
 * Cancels an unpaid order for the merchant. Its units can be bought again, the shopper gets a message, and money that
 * comes later goes back. Cancelling again changes nothing. @param reason in the merchant's words
 * @throws NotAllowedError as `mayManage`
 */
export async function cancelManagedOrder(
  actor: Actor,
  orderNo: string,
  reason: string,
): Promise<CancelManagedResult> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return { status: 'not_found' };
  const { shopId, userId, order } = found;
  const { saleId } = order;
  const isCancelled = await transaction(async (tx) => {
    if (!(await mayManage(actor, shopId, 'refunds', tx))) return null;
    const by = { kind: 'merchant', id: actor.userId } as const;
    const row = await cancelOrderRow(tx, { userId, orderNo }, 'cancelled_by_merchant', by, { reason });
    if (!row) return false;
    await putMessages(tx, noticesOf('order_cancelled', { saleId, orderNo }));
    await releaseUnits(tx, row);
    await recordAction(tx, actor, {
      action: 'order.cancel',
      subject: { kind: 'order', id: orderNo },
      before: { status: 'pending_payment' },
      after: { status: 'cancelled' },
      reason,
    });
    return true;
  });
  if (isCancelled === null) return { status: 'not_found' };
  if (isCancelled) await settleEnded({ orderNo, saleId, userId });
  const now = await readManagedOrder(actor, orderNo);
  if (!now) return { status: 'not_found' };
  const wasOurs = now.status === 'cancelled' && now.endReason === 'cancelled_by_merchant';
  return wasOurs ? { status: 'cancelled', order: now } : { status: 'not_cancellable', is: now.status };
}
