import { keys } from '@/lib/redis/keys';
import { SALE_ID, type World } from '../world';
import type { Violate } from './violate';

/**
 * Checks a queue at rest: nobody waits, everybody who was queued was decided unless Redis lost it, and what shoppers heard that
 * nobody had decided has become no order.
 */
export function checkQueue({ queueWatch, redis, postgres, injected }: World, violate: Violate): void {
  if (!queueWatch) return;
  const waiting = redis.xlen(keys.queue(SALE_ID));
  if (waiting > 0) violate('rest', `${waiting} purchases are undecided`);
  for (const orderNo of queueWatch.forgotten()) violate(6, `${orderNo} was queued and never decided`);
  if (injected['redis older']) return;
  for (const orderNo of queueWatch.toldUndecided())
    if (postgres.orders.get(null, orderNo))
      violate(6, `${orderNo} was reported as undecided and is an order`);
}
