import 'server-only';
import { z } from 'zod';
import { recordAction } from '@/lib/audit/record-action';
import { noticesOf } from '@/lib/checkout/announce';
import { db } from '@/lib/db/client';
import { parseOrderNo } from '@/lib/ids/order-no';
import { orderKey } from '@/lib/order/order-key';
import { toOrderView, VIEW_INCLUDE } from '@/lib/order/read-order';
import { recordEvent } from '@/lib/order/record-event';
import type { OrderView } from '@/lib/order/types';
import { putMessages } from '@/lib/outbox/put-message';
import { type Actor, mayManage } from './actor';

export const orderPriceSchema = z.object({
  priceMinor: z.number().int().min(1).max(1_000_000_000),
  version: z.number().int().min(1),
});

export type ChangePriceResult =
  | { status: 'changed'; order: OrderView }
  | { status: 'not_found' }
  | { status: 'version_conflict'; version: number; priceMinor: number }
  | { status: 'not_payable'; is: string }
  | { status: 'too_high'; maxAmountMinor: number };

/** Amounts are 32-bit integers in the database. */
const MAX_AMOUNT_MINOR = 2_147_483_647;

/**
 * Sets the price per unit of an unpaid order, and of its payment, if the order is still at the version the change was
 * based on. A price that went 100 → 80 → 90 is not overwritten by a late 80: the version counts, not the value (ABA).
 * @param price `priceMinor` per unit in minor units; `version` as last seen
 */
export async function changeOrderPrice(
  actor: Actor,
  orderNo: string,
  price: { priceMinor: number; version: number },
): Promise<ChangePriceResult> {
  const parsed = parseOrderNo(orderNo);
  if (parsed === null) return { status: 'not_found' };
  const { shard, id } = orderKey(parsed);
  return db().$transaction(async (tx): Promise<ChangePriceResult> => {
    // Payment, order, sale: everybody locks in this order, the payment callback too, so that nobody waits in a circle.
    await tx.$executeRaw`SELECT 1 FROM payments WHERE shard = ${shard} AND order_id = ${id} FOR UPDATE`;
    await tx.$executeRaw`SELECT 1 FROM orders WHERE shard = ${shard} AND id = ${id} FOR UPDATE`;
    const order = await tx.order.findUnique({
      where: { shard_id: { shard, id } },
      include: { sale: { select: { merchantId: true } } },
    });
    if (!order || !mayManage(actor, order.sale.merchantId)) return { status: 'not_found' };
    if (order.version !== price.version) {
      return { status: 'version_conflict', version: order.version, priceMinor: order.unitPriceMinor };
    }
    if (order.status !== 'pending_payment') return { status: 'not_payable', is: order.status };
    const amountMinor = price.priceMinor * order.quantity;
    if (amountMinor > MAX_AMOUNT_MINOR) return { status: 'too_high', maxAmountMinor: MAX_AMOUNT_MINOR };
    const changed = await tx.order.update({
      where: { shard_id: { shard, id } },
      data: { unitPriceMinor: price.priceMinor, amountMinor, version: { increment: 1 } },
      include: VIEW_INCLUDE,
    });
    await tx.payment.updateMany({
      where: { shard, orderId: id, status: { in: ['pending', 'failed'] } },
      data: { amountMinor, version: { increment: 1 } },
    });
    const { version } = changed;
    await recordEvent(tx, {
      orderNo: String(parsed),
      actor: { kind: 'merchant', id: actor.userId },
      ...{ from: 'pending_payment', to: 'pending_payment', cause: 'price_changed' },
      data: {
        fromMinor: order.unitPriceMinor,
        toMinor: price.priceMinor,
        amountMinor,
        currency: order.currency,
        version,
      },
    });
    const { saleId } = order;
    await putMessages(tx, noticesOf('price_changed', { saleId, orderNo: String(parsed) }, `v${version}`));
    await recordAction(tx, actor, {
      action: 'order.change_price',
      subject: { kind: 'order', id: String(parsed) },
      before: { priceMinor: order.unitPriceMinor, amountMinor: order.amountMinor },
      after: { priceMinor: price.priceMinor, amountMinor },
    });
    return { status: 'changed', order: toOrderView(changed) };
  });
}
