import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/**
 * Makes the relays read this outbox from now on (within a second): of a sale or, of a split sale, of one slice.
 * Idempotent.
 */
export async function openSale(saleId: string): Promise<void> {
  await stockRedis().sadd(keys.openSales(), saleId);
}

/** Stops the relays from reading such an outbox. Only for a sale that can't accept a purchase any more. Idempotent. */
export async function retireSale(saleId: string): Promise<void> {
  await stockRedis().srem(keys.openSales(), saleId);
}

/** Reads the ids of the sales and slices whose outboxes the relays read, in a stable order. */
export async function readOpenSales(): Promise<string[]> {
  return (await stockRedis().smembers(keys.openSales())).sort();
}
