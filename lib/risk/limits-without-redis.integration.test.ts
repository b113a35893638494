import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { LIMIT_ALGORITHMS } from '@/lib/contract/words/limit';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { purchase } from '@/lib/purchase/purchase';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';

/** This file's own Redis, which the test kills. */
let redis: TestNodes;
beforeAll(async () => {
  redis = await startNodes(1);
  process.env.REDIS_URL = `redis://127.0.0.1:${redis.nodes[0]?.options.port}`;
  expect(await stockRedis().ping()).toBe('PONG');
});
afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
  await redis.stop();
});

it('[G14] while Redis is dead each process lets `limit` through, by whichever algorithm', async () => {
  const sales = await Promise.all(
    LIMIT_ALGORITHMS.map(async (algorithm) => {
      const limits = { user: { algorithm, limit: 3, windowSec: 86_400 } };
      const { sale } = await makeSale({ strategy: 'database', limits });
      const { gate } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
      return { saleId: sale.saleId, gate };
    }),
  );
  const user = await makeUser();
  await redis.kill(0);
  for (const { saleId, gate } of sales) {
    const buy = async () => {
      const claims = { userId: user.userId, saleId, level: 0, jti: newId('jti'), device: '' };
      const entryToken = signEntryToken({ ...claims, expiresAt: Date.now() + 600_000 });
      return (await purchase({ saleId, gate, entryToken, body: '' })).status;
    };
    expect([await buy(), await buy(), await buy(), await buy()]).toEqual([202, 409, 409, 429]);
    const enter = async () => (await issueEntry(saleId, user)).status;
    expect([await enter(), await enter(), await enter(), await enter()]).toEqual([
      'entered',
      'entered',
      'entered',
      'rate_limited',
    ]);
  }
});
