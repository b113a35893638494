import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import { type Takers, takerSql } from './taker-sql';

/** Turns an order that ran out of time into a paid one, because its money came after all. @returns whether it did. */
export async function keepExpiredRow(tx: Db, orderNo: string): Promise<boolean> {
  const { shard, id } = orderKey(orderNo);
  const rows = await tx.$executeRaw`
    UPDATE orders
    SET status = 'paid', paid_at = now(), cancelled_at = NULL, end_reason = NULL, stock_settled_at = now(),
        version = version + 1, updated_at = now()
    WHERE shard = ${shard} AND id = ${id} AND status = 'cancelled' AND end_reason = 'expired'`;
  return rows === 1;
}

/**
 * Makes an order that could not be written wait for payment after all, with a payment and the whole time to pay.
 * @returns its units, or null if it is no failed order of this sale.
 */
export async function reopenFailedRow(
  tx: Db,
  saleId: string,
  orderNo: string,
  takers: Takers,
): Promise<number | null> {
  const { shard, id } = orderKey(orderNo);
  const rows = await tx.$queryRaw<{ quantity: number }[]>`
    WITH revived AS (
      UPDATE orders o
      SET status = 'pending_payment', end_reason = NULL, stock_settled_at = NULL, version = o.version + 1,
          updated_at = now(), pay_by = now() + make_interval(secs => s.payment_window_sec)
      FROM sales s
      WHERE o.shard = ${shard} AND o.id = ${id} AND o.sale_id = ${saleId} AND o.status = 'failed' AND s.id = o.sale_id
      RETURNING o.shard, o.id, o.quantity, o.amount_minor, o.currency, ${takerSql(takers)} AS provider
    ), payable AS (
      INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency)
      SELECT 'pay_' || id, shard, id, provider, amount_minor, currency FROM revived
      ON CONFLICT (shard, order_id) DO NOTHING
    )
    SELECT quantity FROM revived`;
  return rows[0]?.quantity ?? null;
}
