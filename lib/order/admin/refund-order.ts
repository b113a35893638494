import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { ManagedOrderView, OrderView } from '@/lib/contract/shapes/order';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { paymentKey } from '@/lib/ids/payment-key';
import { pointsOf } from '@/lib/order/records/announce';
import { CONFIRM_PAID } from '@/lib/order/records/consumer-names';
import { recordEvent } from '@/lib/order/records/record-event';
import { refundRow } from '@/lib/order/records/refund-row';
import { markProcessed } from '@/lib/outbox/mark-processed';
import { putMessages } from '@/lib/outbox/put-message';
import { decideRefund } from '@/lib/payment/records/decide-refund';
import { movePayment } from '@/lib/payment/records/move-payment';
import { takeBackUnits } from '@/lib/sale/records/committed-stock';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { writeOffInLedger } from '@/lib/sale/records/slice-ledger';
import { settleRefunded } from '@/lib/settlement/settle-refunded';
import { sliceOf } from '@/lib/slice/numbers/slice-of';
import { slicesOf } from '@/lib/slice/numbers/slices-of';
import { findManagedOrder, type ManagedOrder } from './find-managed-order';
import { readManagedOrder } from './read-managed-order';
import { refundNeedsApproval } from './refund-needs-approval';

export type RefundResult =
  | { status: 'refunded'; order: ManagedOrderView }
  | { status: 'not_refundable'; is: string }
  | { status: 'not_found' }
  /** An amount this large takes two people. */
  | { status: 'needs_approval'; order: OrderView };

export type RefundOptions = {
  /** True if no second person has agreed: then a sum too large for one person within a day is refused. */
  isAlone?: boolean;
  /** Writes the second person's approval in the same transaction, if this call makes the refund. */
  within?: (tx: Db) => Promise<void>;
};

/** Rolls the transaction back if the refund takes two people; `refundOrder` catches it. */
class NeedsApproval extends Error {}

/**
 * Refunds all that is left of a paid order's money. One transaction marks the order refunded and its payment as due
 * back, has its points taken back, and puts its units on sale again or writes them off. The money goes back through the
 * provider a moment later, with retries. Refunding again changes nothing.
 * @throws NotAllowedError as `mayManage`
 * @param refund `reason` in the merchant's words; `returnStock` whether the units can be sold again.
 */
export async function refundOrder(
  actor: Actor,
  orderNo: string,
  refund: { reason: string; returnStock: boolean },
  { isAlone = false, within }: RefundOptions = {},
): Promise<RefundResult> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return { status: 'not_found' };
  let isNew: boolean | null = null;
  try {
    isNew = await transaction(async (tx) => {
      if (!(await mayManage(actor, found.shopId, 'refunds', tx))) return null;
      const isRefunded = await apply(tx, actor, found, refund, { isAlone, isApproved: within !== undefined });
      if (isRefunded) await within?.(tx);
      return isRefunded;
    });
  } catch (error) {
    if (error instanceof NeedsApproval) return { status: 'needs_approval', order: found.order };
    throw error;
  }
  if (isNew === null) return { status: 'not_found' };
  if (isNew) await settle(found);
  // Written-off units change the cached facts of the sale.
  if (isNew && !refund.returnStock) await forgetSaleInfo(found.order.saleId);
  const order = await readManagedOrder(actor, orderNo);
  if (!order) return { status: 'not_found' };
  return order.status === 'refunded'
    ? { status: 'refunded', order }
    : { status: 'not_refundable', is: order.status };
}

/** Locks payment, person, order, sale, in this order. @returns whether this call refunded it. @throws NeedsApproval */
async function apply(
  tx: Db,
  actor: Actor,
  { order, userId, paymentId }: ManagedOrder,
  { reason, returnStock }: { reason: string; returnStock: boolean },
  { isAlone, isApproved }: { isAlone: boolean; isApproved: boolean },
): Promise<boolean> {
  const { orderNo, saleId, quantity, variant, currency } = order;
  if (paymentId === null || !(await movePayment(tx, paymentId, ['succeeded'], 'refund_due'))) return false;
  const payment = await tx.payment.findUniqueOrThrow({ where: { shard_orderId: paymentKey(paymentId) } });
  const amountMinor = payment.amountMinor - payment.partsMinor;
  if (isAlone && (await refundNeedsApproval(tx, actor.userId, { orderNo, amountMinor, currency })))
    throw new NeedsApproval();
  await decideRefund(tx, paymentId);
  const row = await refundRow(tx, orderNo, returnStock);
  if (!row) throw new Error(`order ${orderNo} has a payment but is not paid`);
  await recordEvent(tx, {
    orderNo,
    actor: { kind: 'merchant', id: actor.userId },
    from: 'paid',
    to: 'refunded',
    cause: 'refund_requested',
    data: { reason, returnStock, amountMinor, currency },
  });
  await putMessages(tx, [
    { topic: 'payments/late', payload: { paymentId, orderNo, saleId } },
    pointsOf('taken_back', { saleId, orderNo }),
  ]);
  // A settled order's units count as sold; its mark may be pruned. Otherwise this claims the mark of `confirm-paid`: if it
  // was free, the units are still held, and no consumer will count them.
  const isUncounted = !row.wasSettled && (await markProcessed(tx, CONFIRM_PAID, [orderNo])).has(orderNo);
  const from = isUncounted ? 'held' : 'sold';
  await takeBackUnits(tx, { saleId, units: quantity, variant }, { from, isForSale: returnStock });
  const slices = await slicesOf(saleId);
  if (!returnStock && slices > 1) await writeOffInLedger(tx, saleId, sliceOf(userId, slices), quantity);
  await recordAction(tx, actor, {
    action: 'order.refund',
    subject: { kind: 'order', id: orderNo },
    before: { status: 'paid' },
    after: {
      status: 'refunded',
      amountMinor,
      currency,
      quantity,
      returnStock,
      ...(isApproved && { isApproved }),
    },
    reason,
  });
  return true;
}

async function settle({ order, userId }: ManagedOrder): Promise<void> {
  const { orderNo, saleId } = order;
  try {
    await settleRefunded([{ orderNo, saleId, userId }]);
  } catch (error) {
    // The refund is committed. If Redis is away, the sweep moves the units later.
    if (!isOutage(error)) throw error;
    log.warn({ orderNo, err: error }, 'units of a refunded order wait for the sweep');
  }
}
