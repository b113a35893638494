import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';

/**
 * Gives an unpaid order, and its payment that was not opened yet, another price. Call it under the locks of
 * `lockPriced`.
 * @param price per unit, of the parcel and in all, minor units @returns whether both were changed, or neither
 */
export async function repriceRow(
  tx: Db,
  orderNo: string,
  price: { unitPriceMinor: number; shippingMinor: number; amountMinor: number },
): Promise<boolean> {
  const { shard, id } = orderKey(orderNo);
  const rows = await tx.$executeRaw`
    WITH payable AS (
      UPDATE payments SET amount_minor = ${price.amountMinor}, version = version + 1, updated_at = now()
      WHERE shard = ${shard} AND order_id = ${id} AND status IN ('pending', 'failed') AND opened_at IS NULL
      RETURNING shard, order_id
    )
    UPDATE orders o
    SET unit_price_minor = ${price.unitPriceMinor}, shipping_minor = ${price.shippingMinor}, amount_minor = ${price.amountMinor}, version = o.version + 1,
        updated_at = now()
    FROM payable WHERE o.shard = payable.shard AND o.id = payable.order_id AND o.status = 'pending_payment'`;
  return rows === 1;
}
