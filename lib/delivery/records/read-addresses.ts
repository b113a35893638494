import 'server-only';
import { type Address, toAddress } from '@/lib/contract/shapes/address';
import { db } from '@/lib/db/client';

/** Reads where these orders go; leaves out those without an address. @param orderNos 1,000 at most */
export async function readAddresses(orderNos: readonly string[]): Promise<Map<string, Address>> {
  const rows = await db().$queryRaw<{ orderNo: string; address: unknown }[]>`
    SELECT d.order_id::text AS "orderNo", d.address
    FROM orders_numbered(${orderNos}::text[]::bigint[]) o
    JOIN deliveries d ON d.shard = o.shard AND d.order_id = o.id WHERE d.address IS NOT NULL`;
  return new Map(
    rows.flatMap(({ orderNo, address }) => {
      const read = toAddress(address);
      return read ? [[orderNo, read] as const] : [];
    }),
  );
}
