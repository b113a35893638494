import { newId } from '@/lib/ids/new-id';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { sell } from '@/lib/purchase/sell';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readStock } from '@/lib/stock/read-stock';
import { serveWaitlist } from '../giving/serve-waitlist';
import { joinWaitlist } from '../join-waitlist';

/* For tests: a sale with a waitlist, and what happens to it. */

export const soldOut = (options: Parameters<typeof createSaleFixture>[0] = {}) =>
  createSaleFixture({ total: 1, users: 5, waitlist: true, ...options });

export async function join({ saleId }: SaleFixture, userId = '', jti = newId('jti')) {
  const info = await findSaleInfo(saleId);
  if (!info) throw new Error(`there is no sale ${saleId}`);
  return joinWaitlist(info, { userId, jti });
}

export async function press({ saleId, gate }: SaleFixture, userId = '', jti = newId('jti')) {
  const info = await findSaleInfo(saleId);
  if (!info) throw new Error(`there is no sale ${saleId}`);
  const { epoch, endsAt } = info;
  return sell(info, { saleId, epoch, gate, userId, jti, quantity: 1, endsAt }, { userId, address: null });
}

/** Redis forgets the sale as if it had lost everything of it, and a worker loads it again. */
export async function lose(sale: SaleFixture) {
  const { saleId } = sale;
  await loseAndLoad(sale);
  // As if the time for purchases that were answered and lost were over.
  await stockRedis().hset(keys.sale(saleId), 'serveFrom', 0);
  await serve(sale);
}

/** Gives what is for sale, as a worker does within a second. @returns how many units */
export async function serve({ saleId }: SaleFixture): Promise<number> {
  return serveWaitlist({ saleId, epoch: (await findSaleInfo(saleId))?.epoch ?? 0 });
}

export async function loseAndLoad({ saleId }: SaleFixture) {
  const redis = stockRedis();
  await redis.unlink(
    ...[keys.sale, keys.buyers, keys.outbox, keys.waitlist, keys.places].map((key) => key(saleId)),
  );
  await ensureStockLoaded(saleId);
  await forgetSaleInfo(saleId);
}

export const tiersOf = async (saleId: string) => {
  const stock = await readStock(saleId);
  return stock && { available: stock.available, held: stock.held, sold: stock.sold, total: stock.total };
};
