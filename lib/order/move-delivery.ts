import 'server-only';
import type { Parcel } from '@/lib/contract/shapes/delivery';
import type { DeliveryState } from '@/lib/contract/words/delivery';
import type { Db } from '@/lib/db/client';
import { orderKey } from './order-key';

/** Packs what waits. @returns false: it does not wait, or has no address */
export async function packDelivery(tx: Db, orderNo: string): Promise<boolean> {
  const { shard, id } = orderKey(orderNo);
  const moved = await tx.$executeRaw`
    UPDATE deliveries SET state = 'packed', packed_at = now(), updated_at = now()
    WHERE shard = ${shard}::smallint AND order_id = ${id} AND state = 'waiting' AND address IS NOT NULL`;
  return moved === 1;
}

/** Sends what is packed on its way. @returns false: it is not packed */
export async function shipDelivery(tx: Db, orderNo: string, parcel: Parcel): Promise<boolean> {
  const { shard, id } = orderKey(orderNo);
  const moved = await tx.$executeRaw`
    UPDATE deliveries SET state = 'shipped', shipped_at = now(), updated_at = now(), carrier = ${parcel.carrier},
           tracking_number = ${parcel.trackingNumber}, tracking_url = ${parcel.trackingUrl ?? null}
    WHERE shard = ${shard}::smallint AND order_id = ${id} AND state = 'packed'`;
  return moved === 1;
}

/** Ends the way of what was shipped. @returns false: it is not on its way */
export async function endDelivery(tx: Db, orderNo: string): Promise<boolean> {
  const { shard, id } = orderKey(orderNo);
  const moved = await tx.$executeRaw`
    UPDATE deliveries SET state = 'delivered', delivered_at = now(), updated_at = now()
    WHERE shard = ${shard}::smallint AND order_id = ${id} AND state = 'shipped'`;
  return moved === 1;
}

/** A delivery and its order, as they stand under the order's lock. */
export type DeliveryStand = {
  orderStatus: string;
  /** Whether the product is shipped, or was when the address was given. */
  isShipped: boolean;
  /** Null: nobody has given an address. */
  state: DeliveryState | null;
  hasAddress: boolean;
  carrier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
};

/** Reads how a delivery stands and keeps its order as it is until the end of the transaction: nobody refunds it meanwhile. */
export async function lockDelivery(tx: Db, orderNo: string): Promise<DeliveryStand | null> {
  const { shard, id } = orderKey(orderNo);
  const locked = await tx.$queryRaw<{ status: string; saleId: string }[]>`
    SELECT status, sale_id AS "saleId" FROM orders WHERE shard = ${shard}::smallint AND id = ${id} FOR NO KEY UPDATE`;
  const [order] = locked;
  if (!order) return null;
  // A statement of its own: it sees what the one who held the lock before has written.
  const [row] = await tx.$queryRaw<Omit<DeliveryStand, 'orderStatus'>[]>`
    SELECT g.delivery <> 'none' OR d.order_id IS NOT NULL AS "isShipped", d.state, d.address IS NOT NULL AS "hasAddress",
           d.carrier, d.tracking_number AS "trackingNumber", d.tracking_url AS "trackingUrl"
    FROM sales s JOIN products g ON g.id = s.product_id
    LEFT JOIN deliveries d ON d.shard = ${shard}::smallint AND d.order_id = ${id}
    WHERE s.id = ${order.saleId}`;
  return row ? { orderStatus: order.status, ...row } : null;
}
