import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Lets the relays read this sale's outbox from now on (within a second). Idempotent. */
export async function openSale(saleId: string): Promise<void> {
  await stockRedis().sadd(keys.openSales(), saleId);
}

/** Ends the reading of a sale's outbox. Only for a sale that can't accept a purchase any more. Idempotent. */
export async function retireSale(saleId: string): Promise<void> {
  await stockRedis().srem(keys.openSales(), saleId);
}

/** Ids of the sales whose outbox is read, in a stable order. */
export async function readOpenSales(): Promise<string[]> {
  return (await stockRedis().smembers(keys.openSales())).sort();
}
