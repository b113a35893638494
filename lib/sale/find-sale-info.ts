import 'server-only';
import { LRUCache } from 'lru-cache';
import { db } from '@/lib/db/client';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { type SaleInfo, toSaleInfo } from './types';

const SHARED_TTL_SEC = 300;
const LOCAL_TTL_MS = 1000;
const LOCAL_MAX_SALES = 10_000;

/** Process-local level: the purchase path finds a sale here without a round trip. `missing` keeps unknown ids away too. */
const local = new LRUCache<string, SaleInfo | 'missing'>({ max: LOCAL_MAX_SALES, ttl: LOCAL_TTL_MS });

/**
 * A sale's info: from this process (≤ 1 s old), else Redis, else Postgres. Null for unknown sales and drafts.
 * While Redis is down Postgres answers alone.
 */
export async function findSaleInfo(saleId: string): Promise<SaleInfo | null> {
  const known = local.get(saleId);
  if (known) return known === 'missing' ? null : known;
  const info = (await readShared(saleId)) ?? (await readDatabase(saleId));
  local.set(saleId, info ?? 'missing');
  return info;
}

/** Forgets what this process and Redis know of a sale; after every change of its row. */
export async function forgetSaleInfo(saleId: string): Promise<void> {
  local.delete(saleId);
  await cacheRedis().del(keys.saleInfo(saleId));
}

/** Puts a sale's info into Redis ahead of the crowd. */
export async function warmSaleInfo(info: SaleInfo): Promise<void> {
  local.set(info.saleId, info);
  await cacheRedis().set(keys.saleInfo(info.saleId), JSON.stringify(info), 'EX', SHARED_TTL_SEC);
}

async function readShared(saleId: string): Promise<SaleInfo | null> {
  const text = await cacheRedis()
    .get(keys.saleInfo(saleId))
    .catch(() => null);
  return text === null ? null : (JSON.parse(text) as SaleInfo);
}

async function readDatabase(saleId: string): Promise<SaleInfo | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: { product: true } });
  if (!row || row.status === 'draft') return null;
  const info = toSaleInfo(row);
  await warmSaleInfo(info).catch(() => undefined);
  return info;
}
