import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { serverOf } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/**
 * Makes the relays read this outbox from now on (within a second): of a sale or, of a split sale, of one slice.
 * Idempotent.
 */
export async function openSale(stockId: string): Promise<void> {
  await stockRedis().sadd(keys.openSales(), stockId);
}

/**
 * Does the same, unless the list lies on another server of the cluster than the sale, and can't be reached: the sale goes
 * on, and a worker tries again every second. @throws other connection errors
 */
export async function openSaleIfReachable(stockId: string): Promise<void> {
  await openSale(stockId).catch((error: unknown) => {
    const placeOf = (key: string) => serverOf(stockRedis(), key);
    if (!isOutage(error) || placeOf(keys.openSales()) === placeOf(keys.sale(stockId))) throw error;
  });
}

/** Stops the relays from reading such an outbox. Only for a sale that can't accept a purchase any more. Idempotent. */
export async function retireSale(stockId: string): Promise<void> {
  await stockRedis().srem(keys.openSales(), stockId);
}

/** Reads the ids of the sales and slices whose outboxes the relays read, in a stable order. */
export async function readOpenSales(): Promise<string[]> {
  return (await stockRedis().smembers(keys.openSales())).sort();
}
