import { processWide } from '@/lib/process-wide';
import 'server-only';
import { createOrderNoSource, UNLEASED_WORKER } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';

const numbers = processWide('unleased-numbers', () => createOrderNoSource({ workerId: UNLEASED_WORKER }));

/**
 * Returns a new order number that needs no lease and so no Redis. Two processes may make the same one in the same
 * millisecond for users of the same shard. So use it only for orders that are written before their number is shown:
 * the primary key then refuses the second.
 */
export function issueUnleasedOrderNo(userId: string): string {
  return String(numbers.next(shardOf(userId)));
}
