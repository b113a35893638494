import 'server-only';
import { createOrderNoSource, type OrderNoSource, UNLEASED_WORKER } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';

const holder = globalThis as typeof globalThis & { seckillUnleasedNumbers?: OrderNoSource };

/**
 * Returns a new order number that needs no lease and so no Redis. Two processes may make the same one in the same
 * millisecond for users of the same shard. So use it only for orders that are written before their number is shown:
 * the primary key then refuses the second.
 */
export function issueUnleasedOrderNo(userId: string): string {
  holder.seckillUnleasedNumbers ??= createOrderNoSource({ workerId: UNLEASED_WORKER });
  return String(holder.seckillUnleasedNumbers.next(shardOf(userId)));
}
