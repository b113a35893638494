import 'server-only';
import type { Address } from '@/lib/contract/shapes/address';
import type { Db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';

/** `fixed`: it is packed, or the order has ended; `no_parcel`: its product is not sent; `not_found`: not written, or not theirs. */
export type PutAddressResult = 'kept' | 'fixed' | 'no_parcel' | 'not_found';

/** Keeps a copy of an address with a shopper's order, in place of the one before. */
export async function putAddress(
  tx: Db,
  userId: string,
  orderNo: string,
  address: Address,
): Promise<PutAddressResult> {
  const [shard, id] = [shardOf(userId), BigInt(orderNo)];
  const [order] = await tx.$queryRaw<{ saleId: string; isOpen: boolean; isParcel: boolean }[]>`
    SELECT o.sale_id AS "saleId", o.status IN ('pending_payment', 'paid') AS "isOpen",
           coalesce(g.delivery = 'parcel', false) OR d.order_id IS NOT NULL AS "isParcel"
    FROM orders o JOIN sales s ON s.id = o.sale_id JOIN products g ON g.id = s.product_id
    LEFT JOIN deliveries d ON d.shard = o.shard AND d.order_id = o.id
    WHERE o.shard = ${shard}::smallint AND o.id = ${id} AND o.user_id = ${userId}`;
  if (!order) return 'not_found';
  if (!order.isParcel) return 'no_parcel';
  if (!order.isOpen) return 'fixed';
  const kept = await tx.$executeRaw`
    INSERT INTO deliveries AS d (shard, order_id, sale_id, address)
    VALUES (${shard}::smallint, ${id}, ${order.saleId}, ${JSON.stringify(address)}::jsonb)
    ON CONFLICT (shard, order_id) DO UPDATE SET address = EXCLUDED.address, updated_at = now()
    WHERE d.step = 'waiting'`;
  return kept === 0 ? 'fixed' : 'kept';
}
