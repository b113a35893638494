import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockRequest, blockSubjects } from '@/lib/block/block-subjects';
import { liftBlock } from '@/lib/block/lift-block';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { bestOf } from '@/test/support/best-of';
import { sendPurchase } from './testing/send-purchase';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

/** One normal process, and one that reaches no Redis: it gets no messages, and all it can do is refuse. */
let webs: FastPathProcess[] = [];
let sale: SaleFixture;
beforeAll(async () => {
  sale = await createSaleFixture({ total: 1_000, limit: 1_000 });
  webs = await Promise.all([startFastPath(), startFastPath({ env: { REDIS_URL: 'redis://127.0.0.1:1/0' } })]);
});
afterAll(async () => {
  await Promise.all(webs.map((web) => web.stop()));
  await Promise.all([closeRedis(), closeDb()]);
});

const request = (
  kind: BlockRequest['kind'],
  value: string,
  expiresAt: number | null = null,
): BlockRequest => ({
  kind,
  value,
  reason: 'test',
  by: 'user_admin',
  expiresAt,
});

async function block(...requests: BlockRequest[]) {
  return (await blockSubjects(requests)).map((outcome) => {
    if (outcome.status !== 'blocked') throw new Error(outcome.problem);
    return outcome.block;
  });
}

/** An unknown sale: every process answers a purchase of it at once, from memory. */
const NOWHERE = { saleId: 'sale_nowhere', gate: 'x' };

function tokenOf(userId: string, device = '', { saleId }: { saleId: string } = NOWHERE): string {
  return signEntryToken({
    userId,
    saleId,
    level: 0,
    jti: newId('jti'),
    expiresAt: Date.now() + 3_600_000,
    device,
  });
}

/** Returns each process's answer to a purchase: blocked or not. */
const areBlocked = (token: string) =>
  Promise.all(
    webs.map(async ({ origin }) => {
      const { status, body } = await sendPurchase(origin, NOWHERE, token);
      if (status !== 403) expect(status).toBe(404);
      return status === 403 && body.code === 'BLOCKED';
    }),
  );

/** Measures how many ms pass until every process answers as expected. */
async function untilAll(token: string, expected: boolean): Promise<number> {
  const from = performance.now();
  while ((await areBlocked(token)).includes(!expected)) {
    if (performance.now() - from > 20_000) throw new Error('never in force everywhere');
  }
  return performance.now() - from;
}

describe('a block', () => {
  it('[G8] of an account is in force in every process within a second, Redis or not, and so is its end', async () => {
    const blockAndLift = async () => {
      const userId = newId('user');
      const token = tokenOf(userId);
      expect(await areBlocked(token)).toEqual([false, false]);
      const [made] = await block(request('user', userId));
      const begunMs = await untilAll(token, true);
      await liftBlock(made?.id ?? '', 'user_admin');
      return Math.max(begunMs, await untilAll(token, false));
    };
    expect(await bestOf(1_000, blockAndLift)).toBeLessThan(1_000);
  });

  it('[G8] whose message is lost is in force within a second all the same', async () => {
    const silently = async () => {
      const userId = newId('user');
      const token = tokenOf(userId);
      // Imitates a process that died before it announced the block.
      await db().block.create({ data: { kind: 'user', value: userId, reason: 'test', blockedBy: 'x' } });
      return untilAll(token, true);
    };
    expect(await bestOf(1_000, silently)).toBeLessThan(1_000);
  });

  it('[G8] of a device or a network refuses whoever comes with it, other accounts too, until when it says', async () => {
    const device = newId('device');
    const until = Date.now() + 3_600_000;
    await block(request('device', device, until));
    await untilAll(tokenOf(newId('user'), device), true);
    expect(await areBlocked(tokenOf(newId('user'), newId('device')))).toEqual([false, false]);
    expect(await sendPurchase(webs[0]?.origin ?? '', NOWHERE, tokenOf(newId('user'), device))).toMatchObject({
      status: 403,
      body: { code: 'BLOCKED', until },
    });

    const [network] = await block(request('ip', '127.0.0.0/8'));
    await untilAll(tokenOf(newId('user')), true);
    await liftBlock(network?.id ?? '', 'user_admin');
    await untilAll(tokenOf(newId('user')), false);
  });

  it('[G8] is answered without Redis, which a purchase would need; no unit is sold to it', async () => {
    const [userId, other] = [newId('user'), newId('user')];
    await block(request('user', userId));
    await untilAll(tokenOf(userId), true);
    const withoutRedis = webs[1]?.origin ?? '';
    expect((await sendPurchase(withoutRedis, sale, tokenOf(other, '', sale))).status).toBe(503);
    expect((await sendPurchase(withoutRedis, sale, tokenOf(userId, '', sale))).status).toBe(403);
    expect(await stockRedis().hexists(keys.buyers(sale.saleId), userId)).toBe(0);
  });
});
