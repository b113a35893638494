import { afterAll, describe, expect, it } from 'vitest';
import { verifySale } from '@/lib/admin/verify/verify-sale';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { readStock } from '@/lib/stock/read-stock';
import { makeSale } from '@/test/support/make-sale';
import { answerOrder } from '../order/answer-order';
import { purchase } from '../purchase/purchase';
import { drainOutbox } from '../testing/drain-outbox';
import { runQueues } from './run-queues';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

type Sale = Pick<SaleInfo, 'saleId' | 'epoch'>;

const tokenFor = (saleId: string, userId: string) =>
  signEntryToken({ userId, saleId, level: 0, jti: newId('jti'), expiresAt: Date.now() + 60_000, device: '' });

async function ask({ saleId }: Sale, userId: string, entryToken = tokenFor(saleId, userId), body = '') {
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const reply = await purchase({ saleId, gate, entryToken, body });
  return {
    http: reply.status,
    retryAfter: reply.headers['retry-after'],
    ...JSON.parse(reply.body.toString()),
  };
}

async function readOrder(userId: string, orderNo: string, saleId?: string) {
  const reply = await answerOrder({ userId, ...(saleId !== undefined && { saleId }) }, orderNo);
  return { http: reply.status, ...JSON.parse(reply.body.toString()) };
}

/** Users as orders need them; in one statement, because some tests want hundreds. */
async function users(count: number): Promise<string[]> {
  const userIds = Array.from({ length: count }, () => newId('user'));
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${userIds}::text[]) AS u (id)`;
  return userIds;
}

const queueSale = async (options: Parameters<typeof makeSale>[0] = {}) =>
  makeSale({ strategy: 'queue', ...options });

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
