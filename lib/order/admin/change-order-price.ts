import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { OrderView } from '@/lib/contract/shapes/order';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { MAX_AMOUNT_MINOR } from '@/lib/money';
import { noticesOf } from '@/lib/order/records/announce';
import { lockPriced } from '@/lib/order/records/lock-priced';
import { recordEvent } from '@/lib/order/records/record-event';
import { repriceRow } from '@/lib/order/records/reprice-row';
import { putMessages } from '@/lib/outbox/put-message';
import { findManagedOrder } from './find-managed-order';

type Refusal =
  | { status: 'not_found' }
  | { status: 'version_conflict'; version: number; priceMinor: number }
  | { status: 'not_payable'; is: string }
  /** The shopper was already sent to the provider, and the amount asked there can't be changed. */
  | { status: 'payment_opened' }
  | { status: 'too_high'; maxAmountMinor: number };

type ChangePriceResult = { status: 'changed'; order: OrderView } | Refusal;

/**
 * Sets the price per unit of an unpaid order and of its payment. Refuses if the order's version has changed since the
 * caller saw it, or if the shopper has opened the payment. A price that went 100 → 80 → 90 is not overwritten by a
 * late 80: the version counts, not the value (ABA).
 * @throws NotAllowedError as `mayManage`
 * @param price `priceMinor` per unit in minor units; `version` as last seen
 */
export async function changeOrderPrice(
  actor: Actor,
  orderNo: string,
  price: { priceMinor: number; version: number },
): Promise<ChangePriceResult> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return { status: 'not_found' };
  const refusal = await transaction(async (tx) =>
    (await mayManage(actor, found.shopId, 'refunds', tx))
      ? change(tx, actor, orderNo, price)
      : ({ status: 'not_found' } as const),
  );
  if (refusal) return refusal;
  const changed = await findManagedOrder(actor, orderNo);
  return changed ? { status: 'changed', order: changed.order } : { status: 'not_found' };
}

async function change(
  tx: Db,
  actor: Actor,
  orderNo: string,
  { priceMinor, version }: { priceMinor: number; version: number },
): Promise<Refusal | null> {
  const order = await lockPriced(tx, orderNo);
  if (!order) return { status: 'not_found' };
  const { saleId, unitPriceMinor, shippingMinor, currency } = order;
  if (order.version !== version)
    return { status: 'version_conflict', version: order.version, priceMinor: unitPriceMinor };
  if (order.status !== 'pending_payment') return { status: 'not_payable', is: order.status };
  if (order.isOpened) return { status: 'payment_opened' };
  const amountMinor = priceMinor * order.quantity + shippingMinor;
  if (amountMinor > MAX_AMOUNT_MINOR) return { status: 'too_high', maxAmountMinor: MAX_AMOUNT_MINOR };
  if (!(await repriceRow(tx, orderNo, { unitPriceMinor: priceMinor, shippingMinor, amountMinor })))
    throw new Error(`order ${orderNo} waits for payment and has none that could be changed`);
  const next = version + 1;
  await recordEvent(tx, {
    orderNo,
    actor: { kind: 'merchant', id: actor.userId },
    from: 'pending_payment',
    to: 'pending_payment',
    cause: 'price_changed',
    data: { fromMinor: unitPriceMinor, toMinor: priceMinor, amountMinor, currency, version: next },
  });
  await putMessages(tx, noticesOf('price_changed', { saleId, orderNo }, { nth: `v${next}` }));
  await recordAction(tx, actor, {
    action: 'order.change_price',
    subject: { kind: 'order', id: orderNo },
    before: { priceMinor: unitPriceMinor, amountMinor: order.amountMinor },
    after: { priceMinor, amountMinor },
  });
  return null;
}
