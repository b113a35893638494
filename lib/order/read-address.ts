import 'server-only';
import { type Address, toAddress } from '@/lib/contract/shapes/address';
import { type Db, db } from '@/lib/db/client';
import { orderKey } from './order-key';

/** Returns where an order goes; null: no address was given, or it was erased. */
export async function readAddress(orderNo: string, client: Db = db()): Promise<Address | null> {
  const { shard, id: orderId } = orderKey(orderNo);
  const row = await client.delivery.findUnique({
    where: { shard_orderId: { shard, orderId } },
    select: { address: true },
  });
  return toAddress(row?.address);
}
