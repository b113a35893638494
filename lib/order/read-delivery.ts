import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from './order-key';
import type { DeliveryRow } from './to-delivery';

/** Reads how far the parcel of an order is; null: nobody has given an address. */
export async function readDelivery(orderNo: string | bigint, client: Db): Promise<DeliveryRow | null> {
  const { shard, id: orderId } = orderKey(orderNo);
  const row = await client.delivery.findUnique({ where: { shard_orderId: { shard, orderId } } });
  return row && { ...row, hasAddress: row.address !== null };
}
