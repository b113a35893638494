import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { closeDb, db } from '@/lib/db/client';
import { countAttempt, flushAttempts } from '@/lib/metrics/attempts';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { makeSale } from '@/test/support/make-sale';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { liveFeed } from './live-feed';
import { readLive } from './read-live';

const admin: Actor = { userId: 'user_admin', role: 'admin' };

/** A Redis for this file alone, which the test kills. */
let redis: StockRedis;
beforeAll(async () => {
  redis = await startStockRedis();
  process.env.REDIS_URL = redis.url;
  expect(await stockRedis().ping()).toBe('PONG');
});
afterAll(async () => {
  redis.thaw();
  await Promise.all([closeRedis(), closeDb()]);
  await redis.stop();
});

async function look(saleId: string) {
  const result = await readLive(admin, saleId, 0);
  if (result.status !== 'found') throw new Error(result.status);
  return result.live;
}

const NONE = { accepted: 0, replayed: 0, soldOut: 0, rateLimited: 0, rejected: 0 };

it('[J4 J5] a live page that is opened while Redis is away shows what Postgres knows, and the rest when it is back', async () => {
  const now = Date.now();
  const soon = { startsAt: now + 600_000, endsAt: now + 1_200_000 };
  const [
    { sale: seen },
    { sale: live, merchant },
    { sale: paused },
    { sale: scheduled },
    { sale: inPostgres },
  ] = await Promise.all([
    makeSale(),
    makeSale(),
    makeSale(),
    makeSale(soon),
    makeSale({ strategy: 'database' }),
  ]);
  await setSalePaused(admin, paused.saleId, true);
  // An admin has this sale open all the time.
  const leave = liveFeed(seen.saleId)?.follow(() => {});
  countAttempt(seen.saleId, 'rejected', 'BLOCKED');
  await flushAttempts();
  expect(await look(seen.saleId)).toMatchObject({ attempts: { rejected: 1 }, stock: { total: 10 } });
  await redis.kill();
  await db().$executeRaw`UPDATE sales SET held_stock = 3 WHERE id = ${live.saleId}`;

  expect(await look(live.saleId)).toMatchObject({
    phase: 'live',
    stock: null,
    database: { held: 3, sold: 0 },
    orders: { written: 0 },
    attempts: NONE,
    refusals: [],
    queue: { outbox: 0 },
    invariants: [],
    verifiedAt: null,
  });
  expect(await look(paused.saleId)).toMatchObject({ phase: 'paused', stock: null });
  expect(await look(scheduled.saleId)).toMatchObject({ phase: 'scheduled', stock: null });
  // This sale's stock was never in Redis, so only the attempts are missing.
  expect(await look(inPostgres.saleId)).toMatchObject({ phase: 'live', stock: { available: 10 } });
  // The last known values stay.
  expect(await look(seen.saleId)).toMatchObject({
    attempts: { rejected: 1 },
    refusals: [{ code: 'BLOCKED', count: 1 }],
    stock: null,
  });
  leave?.();
  const stranger: Actor = { userId: 'user_other', role: 'merchant' };
  expect(await readLive(stranger, live.saleId, null)).toEqual({ status: 'not_found' });

  await redis.start();
  await expect.poll(async () => (await look(live.saleId)).stock).not.toBeNull();
  expect((await readLive(merchant, live.saleId, null)).status).toBe('found');
});

it('[J4 J5] also while it accepts and never answers', async () => {
  const { sale } = await makeSale();
  redis.freeze();
  try {
    expect(await look(sale.saleId)).toMatchObject({ phase: 'live', stock: null });
  } finally {
    redis.thaw();
  }
  await expect.poll(async () => (await look(sale.saleId)).stock).not.toBeNull();
});
