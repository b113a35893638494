import 'server-only';
import type { Db } from '@/lib/db/client';
import { orderKey } from './order-key';
import type { OrderStatus } from './types';

/** Where an order stands in this transaction. @throws if there is none. */
export async function statusOf(tx: Db, orderNo: string): Promise<OrderStatus> {
  const where = { shard_id: orderKey(orderNo) };
  return (await tx.order.findUniqueOrThrow({ where, select: { status: true } })).status as OrderStatus;
}
