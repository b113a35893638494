import { processWide } from '@/lib/process-wide';
import 'server-only';
import { createOrderNoSource, UNLEASED_WORKER } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';

const numbers = processWide('unleased-numbers', () => createOrderNoSource({ workerId: UNLEASED_WORKER }));

/**
 * A new order number that needs no lease and so no Redis. Two processes may make the same one in the same millisecond
 * for users of the same shard; so it is only for orders that are written before anybody is told the number, where the
 * primary key refuses the second.
 */
export function issueUnleasedOrderNo(userId: string): string {
  return String(numbers.next(shardOf(userId)));
}
