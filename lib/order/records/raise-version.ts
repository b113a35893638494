import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';

/** Gives a paid order another version, because a part of its money goes back. @returns false if it is not paid */
export async function raiseVersion(tx: Db, orderNo: string): Promise<boolean> {
  const { shard, id } = orderKey(orderNo);
  const rows = await tx.$executeRaw`
    UPDATE orders SET version = version + 1, updated_at = now() WHERE shard = ${shard} AND id = ${id} AND status = 'paid'`;
  return rows === 1;
}
