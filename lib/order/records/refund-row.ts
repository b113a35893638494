import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';

/**
 * Turns a paid order into a refunded one.
 * @param returnsStock whether its units are for sale again, or written off.
 * @returns whether its units had been settled as sold; null if it was not paid.
 */
export async function refundRow(
  tx: Db,
  orderNo: string,
  returnsStock: boolean,
): Promise<{ wasSettled: boolean } | null> {
  const { shard, id } = orderKey(orderNo);
  const [row] = await tx.$queryRaw<{ wasSettled: boolean }[]>`
    UPDATE orders
    SET status = 'refunded', refund_returns_stock = ${returnsStock}, stock_settled_at = NULL, version = version + 1,
        updated_at = now()
    WHERE shard = ${shard} AND id = ${id} AND status = 'paid'
    RETURNING old.stock_settled_at IS NOT NULL AS "wasSettled"`;
  return row ?? null;
}
