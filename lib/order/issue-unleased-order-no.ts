import 'server-only';
import { createOrderNoSource, type OrderNoSource, UNLEASED_WORKER } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';

const holder = globalThis as typeof globalThis & { seckillUnleasedNumbers?: OrderNoSource };

/**
 * A new order number that needs no lease and so no Redis. Two processes may make the same one in the same millisecond
 * for users of the same shard; so it is only for orders that are written before anybody is told the number, where the
 * primary key refuses the second.
 */
export function issueUnleasedOrderNo(userId: string): string {
  holder.seckillUnleasedNumbers ??= createOrderNoSource({ workerId: UNLEASED_WORKER });
  return String(holder.seckillUnleasedNumbers.next(shardOf(userId)));
}
