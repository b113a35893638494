import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import {
  type ManagedOrderView,
  MOST_PARTS,
  type OrderView,
  type RefundPart,
} from '@/lib/contract/shapes/order';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { raiseVersion } from '@/lib/order/records/raise-version';
import { recordEvent } from '@/lib/order/records/record-event';
import { putMessage } from '@/lib/outbox/put-message';
import { type LockedPayment, lockPayment } from '@/lib/payment/records/lock-payment';
import { addPart, readParts } from '@/lib/payment/records/refund-parts';
import { findManagedOrder, type ManagedOrder } from './find-managed-order';
import { readManagedOrder } from './read-managed-order';
import { refundNeedsApproval } from './refund-needs-approval';
import type { RefundOptions } from './refund-order';

type Refusal =
  | { status: 'not_refundable'; is: string }
  /** It would leave nothing: the whole refund sends all that is left. */
  | { status: 'part_too_large'; leftMinor: number }
  | { status: 'too_many_parts' }
  /** The caller's name for this part has made another one before. */
  | { status: 'made_otherwise' }
  | { status: 'not_found' };

export type RefundPartResult =
  | { status: 'refunded'; order: ManagedOrderView }
  | Refusal
  /** An amount this large takes two people. */
  | { status: 'needs_approval'; order: OrderView };

type Decided = { status: 'decided' | 'repeated' | 'needs_approval' } | Refusal;

/**
 * Refunds a part of a paid order's money. The order stays paid, with its units and points. The money goes back through
 * the provider a moment later, with retries until it has gone. The same `requestId` again changes nothing.
 * @param wish `amountMinor` less than what is left of the order's amount; `reason` in the merchant's words
 * @throws NotAllowedError as `mayManage`
 */
export async function refundPart(
  actor: Actor,
  orderNo: string,
  wish: RefundPart,
  options: RefundOptions = {},
): Promise<RefundPartResult> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return { status: 'not_found' };
  const decided = await transaction(
    async (tx): Promise<Decided> =>
      (await mayManage(actor, found.shopId, 'refunds', tx))
        ? decide(tx, actor, found, wish, options)
        : { status: 'not_found' },
  );
  if (decided.status === 'needs_approval') return { status: 'needs_approval', order: found.order };
  if (decided.status !== 'decided' && decided.status !== 'repeated') return decided as Refusal;
  const order = await readManagedOrder(actor, orderNo);
  return order ? { status: 'refunded', order } : { status: 'not_found' };
}

/** Locks payment, person, order, in this order. */
async function decide(
  tx: Db,
  actor: Actor,
  found: ManagedOrder,
  wish: RefundPart,
  options: RefundOptions,
): Promise<Decided> {
  const { order, paymentId } = found;
  const payment = paymentId === null ? null : await lockPayment(tx, order.provider ?? '', paymentId);
  if (!payment) return { status: 'not_refundable', is: order.status };
  const parts = await readParts(tx, payment.id);
  const same = parts.find(({ requestId }) => requestId === wish.requestId);
  if (same) {
    const isSame = same.amountMinor === wish.amountMinor && same.reason === wish.reason;
    return { status: isSame ? 'repeated' : 'made_otherwise' };
  }
  if (payment.status !== 'succeeded') {
    const { status: is } = await tx.order.findUniqueOrThrow({
      where: { shard_id: { shard: payment.shard, id: payment.order_id } },
    });
    return { status: 'not_refundable', is };
  }
  if (parts.length >= MOST_PARTS) return { status: 'too_many_parts' };
  const leftMinor = payment.amount_minor - payment.parts_minor;
  if (wish.amountMinor >= leftMinor) return { status: 'part_too_large', leftMinor };
  const asked = { orderNo: order.orderNo, amountMinor: wish.amountMinor, currency: payment.currency };
  if (options.isAlone && (await refundNeedsApproval(tx, actor.userId, asked)))
    return { status: 'needs_approval' };
  await write(tx, actor, found, payment, { ...wish, nth: parts.length + 1 }, options);
  return { status: 'decided' };
}

async function write(
  tx: Db,
  actor: Actor,
  { order: { orderNo, saleId } }: ManagedOrder,
  { id: paymentId, currency, parts_minor: beforeMinor }: LockedPayment,
  { nth, amountMinor, reason, requestId }: RefundPart & { nth: number },
  { within }: RefundOptions,
): Promise<void> {
  const part = { amountMinor, reason, requestId, saleId, askedBy: actor.userId };
  const isAdded = await addPart(tx, paymentId, nth, part);
  if (!isAdded || !(await raiseVersion(tx, orderNo)))
    throw new Error(`order ${orderNo} has a payment but is not paid`);
  await recordEvent(tx, {
    orderNo,
    actor: { kind: 'merchant', id: actor.userId },
    from: 'paid',
    to: 'paid',
    cause: 'part_refund_requested',
    data: { reason, amountMinor, currency },
  });
  await putMessage(tx, 'payments/late', { paymentId, orderNo, saleId });
  await recordAction(tx, actor, {
    action: 'order.refund_part',
    subject: { kind: 'order', id: orderNo },
    before: { refundedMinor: beforeMinor },
    after: {
      refundedMinor: beforeMinor + amountMinor,
      amountMinor,
      currency,
      ...(within && { isApproved: true }),
    },
    reason,
  });
  await within?.(tx);
}
