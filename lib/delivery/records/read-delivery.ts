import 'server-only';
import { type Address, toAddress } from '@/lib/contract/shapes/address';
import { type Db, db } from '@/lib/db/client';
import type { DeliveryRow } from './to-delivery';

const SHARD_MASK = 1023n;

/** Reads where an order's parcel goes, and how far it is; null: no address was given. The address is null once forgotten. */
export async function readDelivery(
  orderNo: string,
  client: Db = db(),
): Promise<(DeliveryRow & { address: Address | null }) | null> {
  const orderId = BigInt(orderNo);
  const row = await client.delivery.findUnique({
    where: { shard_orderId: { shard: Number(orderId & SHARD_MASK), orderId } },
  });
  return row && { ...row, hasAddress: row.address !== null, address: toAddress(row.address) };
}
