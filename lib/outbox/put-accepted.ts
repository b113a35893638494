import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stockAt } from '@/lib/slice/numbers/slices-of';
import { type AcceptedOrder, orderEntry } from './accepted-order';

/**
 * Puts an accepted purchase into its sale's (or its buyer's slice's) outbox again, as the purchase script first did. Safe to repeat: an order
 * number becomes one order however often it comes.
 */
export async function putAccepted(saleId: string, order: AcceptedOrder): Promise<void> {
  await stockRedis().xadd(keys.outbox(await stockAt(saleId, order.userId)), '*', ...orderEntry(order));
}
