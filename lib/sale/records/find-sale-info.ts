import 'server-only';
import { createCache } from '@/lib/cache/create-cache';
import { createIdFilter } from '@/lib/cache/id-filter';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { keys } from '@/lib/redis/keys';
import { noteSlices } from '@/lib/slice/numbers/slices-of';
import { SALE_PARTS, toSaleInfo } from './to-sale-info';

/** Drafts are in the filter too: they keep their id when they are published. */
const filter = createIdFilter('sale', async (after, limit) => {
  const rows = await db().sale.findMany({
    select: { id: true },
    where: { id: { gt: after } },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(({ id }) => id);
});

const cache = createCache<SaleInfo>({ name: 'sale-info', key: keys.saleInfo, load: readDatabase, filter });

/**
 * Returns a sale's info: from this process (≤ 1 s old), else Redis, else Postgres, which is asked once for all
 * callers. Null for unknown sales and drafts; invented ids cost no round trip. While Redis is down Postgres answers
 * alone.
 */
export async function findSaleInfo(saleId: string): Promise<SaleInfo | null> {
  const info = await cache.find(saleId);
  // So that nobody has to ask Postgres, which may be away.
  if (info) noteSlices(info);
  return info;
}

/**
 * Returns the same as `findSaleInfo`, but only if this process knows it now; undefined if not. For the hot path,
 * which then need not wait.
 */
export const peekSaleInfo = (saleId: string): SaleInfo | null | undefined => cache.peek(saleId);

/**
 * Drops what this process and Redis have cached of a sale; call it after every change of its row. Other processes
 * follow within 1 s. If Redis can't be reached, it gets the change later, and the admin area shows that.
 */
export const forgetSaleInfo = (saleId: string): Promise<void> => cache.forget(saleId);

/** Loads a sale's info from Postgres into Redis and this process ahead of the crowd. */
export async function warmSaleInfo({ saleId }: Pick<SaleInfo, 'saleId'>): Promise<void> {
  await cache.warm(saleId);
}

async function readDatabase(saleId: string): Promise<SaleInfo | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  return row && row.status !== 'draft' ? toSaleInfo(row) : null;
}
