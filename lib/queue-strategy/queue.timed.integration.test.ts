import { afterAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { closeRedis } from '@/lib/redis/client';
import { readStock } from '@/lib/stock/read-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { runQueues } from './run-queues';
import { ask, queueSale, readOrder, type Sale, users } from './testing/ask';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function expectSound({ saleId }: Sale) {
  await drainOutbox(saleId);
  const verification = await verifySale(saleId, { settleMs: 0 });
  expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
}

describe('many deciders', () => {
  it('[C10] workers decide within a second, also where one of them is gone in the middle', async () => {
    const { sale } = await queueSale({ totalStock: 5 });
    const all = await users(30);
    const workers = [new AbortController(), new AbortController()];
    const loops = workers.map(({ signal }) => runQueues(signal));
    const tookMs = await Promise.all(
      all.map(async (userId, at) => {
        if (at === 10) workers[0]?.abort();
        const { orderNo, status } = await ask(sale, userId);
        const from = performance.now();
        if (status !== 'undecided') return 0;
        await expect
          .poll(async () => (await readOrder(userId, orderNo)).status, { interval: 20 })
          .not.toBe('undecided');
        return performance.now() - from;
      }),
    );
    workers[1]?.abort();
    await Promise.all(loops);
    expect(Math.max(...tookMs)).toBeLessThan(3_000);
    expect(await readStock(sale.saleId)).toMatchObject({ available: 0, held: 5 });
    await expectSound(sale);
  });
});
