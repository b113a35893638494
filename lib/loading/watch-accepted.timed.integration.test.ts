import { afterAll, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { buy, countStock, createSaleFixture, readStates } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import type { findInFlight } from './find-in-flight';
import { keepAccepted } from './keep-accepted';
import { rebuildStock } from './rebuild-stock';
import { countLooks } from './watch-accepted';

/** While `until` is pending, every reading of the purchases on their way stands still; `pid` is that of its connection. */
const still = vi.hoisted(() => ({ until: null as Promise<void> | null, pid: 0 }));
vi.mock('./find-in-flight', async (original) => {
  const actual = await original<{ findInFlight: typeof findInFlight }>();
  const standingStill: typeof findInFlight = async (tx, ...rest) => {
    const { until } = still;
    if (until) {
      const [row] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      still.pid = row?.pid ?? 0;
      await until;
    }
    return actual.findInFlight(tx, ...rest);
  };
  return { findInFlight: standingStill };
});

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

const PATIENCE = { timeout: 30_000, interval: 50 };

it('[E2 J4] a purchase in the hands of a rebuild that stood still and failed is brought back, though nobody buys any more', async () => {
  const sale = await createSaleFixture({ total: 5, users: 1 });
  const { saleId } = sale;
  const [userId = ''] = sale.userIds;
  const order = await buy(sale, userId);
  keepAccepted({ ...order, saleId }, order.acceptedAt);
  await stockRedis().flushdb();

  let goOn = () => {};
  still.until = new Promise((resolve) => {
    goOn = resolve;
  });
  const failed = expect(rebuildStock(saleId)).rejects.toThrow();
  await vi.waitFor(() => expect(still.pid).toBeGreaterThan(0), PATIENCE);
  still.until = null;
  // Meanwhile the purchase can't be seen anywhere, Postgres releases its lock on the sale, and another process loads
  // it.
  const seen = countLooks();
  await vi.waitFor(() => expect(countLooks()).toBeGreaterThan(seen), PATIENCE);
  await db().$executeRaw`SELECT pg_terminate_backend(${still.pid})`;
  expect((await rebuildStock(saleId)).status).toBe('loaded');
  expect((await countStock(saleId)).redis).toEqual({ available: 5, held: 0, sold: 0 });
  goOn();
  await failed;

  await vi.waitFor(async () => {
    expect((await countStock(saleId)).redis).toEqual({ available: 4, held: 1, sold: 0 });
  }, PATIENCE);
  await drainOutbox(saleId);
  expect((await readStates(saleId)).get(order.orderNo)?.status).toBe('pending_payment');
});
