import 'server-only';
import { type Address, toAddress } from '@/lib/contract/shapes/address';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { DeliveryRow } from './to-delivery';

/** Reads where an order's parcel goes, and how far it is; null: no address was given. The address is null once forgotten. */
export async function readDelivery(
  orderNo: string,
): Promise<(DeliveryRow & { address: Address | null }) | null> {
  const { shard, id: orderId } = orderKey(orderNo);
  const row = await db().delivery.findUnique({ where: { shard_orderId: { shard, orderId } } });
  return row && { ...row, hasAddress: row.address !== null, address: toAddress(row.address) };
}
