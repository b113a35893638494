import 'server-only';
import type { OrderStatus } from '@/lib/contract/words/order';
import type { Db } from '@/lib/db/client';
import { orderKey } from './order-key';

/** An order as far as its price is concerned. */
type PricedOrder = {
  saleId: string;
  status: OrderStatus;
  version: number;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  currency: string;
  /** Somebody was sent to the provider: the amount is fixed. */
  isOpened: boolean;
};

/**
 * Locks an order with its payment until the transaction ends. Payment, order, sale: everybody locks in this order, the payment
 * callback too, so that nobody waits in a circle.
 * @returns null if there is none of this number.
 */
export async function lockPriced(tx: Db, orderNo: string): Promise<PricedOrder | null> {
  const { shard, id } = orderKey(orderNo);
  const [payment] = await tx.$queryRaw<{ isOpened: boolean }[]>`
    SELECT opened_at IS NOT NULL AS "isOpened" FROM payments
    WHERE shard = ${shard} AND order_id = ${id} FOR NO KEY UPDATE`;
  const [order] = await tx.$queryRaw<Omit<PricedOrder, 'isOpened'>[]>`
    SELECT sale_id AS "saleId", status, version, quantity, unit_price_minor AS "unitPriceMinor",
           amount_minor AS "amountMinor", currency
    FROM orders WHERE shard = ${shard} AND id = ${id} FOR NO KEY UPDATE`;
  return order ? { ...order, isOpened: payment?.isOpened ?? false } : null;
}
