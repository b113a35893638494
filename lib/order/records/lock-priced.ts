import 'server-only';
import type { OrderStatus } from '@/lib/contract/words/order';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';

/** The parts of an order that matter for its price. */
type PricedOrder = {
  saleId: string;
  status: OrderStatus;
  version: number;
  quantity: number;
  unitPriceMinor: number;
  shippingMinor: number;
  amountMinor: number;
  currency: string;
  /** The shopper was sent to the provider: the amount is fixed. */
  isOpened: boolean;
};

/**
 * Locks an order with its payment until the transaction ends. All transactions, the payment callback too, lock in the
 * order payment, order, sale, so that they can't deadlock.
 * @returns null if there is none of this number.
 */
export async function lockPriced(tx: Db, orderNo: string): Promise<PricedOrder | null> {
  const { shard, id } = orderKey(orderNo);
  const [payment] = await tx.$queryRaw<{ isOpened: boolean }[]>`
    SELECT opened_at IS NOT NULL AS "isOpened" FROM payments
    WHERE shard = ${shard} AND order_id = ${id} FOR NO KEY UPDATE`;
  const [order] = await tx.$queryRaw<Omit<PricedOrder, 'isOpened'>[]>`
    SELECT sale_id AS "saleId", status, version, quantity, unit_price_minor AS "unitPriceMinor",
           shipping_minor AS "shippingMinor", amount_minor AS "amountMinor", currency
    FROM orders WHERE shard = ${shard} AND id = ${id} FOR NO KEY UPDATE`;
  return order ? { ...order, isOpened: payment?.isOpened ?? false } : null;
}
