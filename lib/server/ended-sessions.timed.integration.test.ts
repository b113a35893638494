import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endSession } from '@/lib/access/end-session';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { startSession } from '@/lib/account/sessions/start-session';
import { closeDb } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { bestOf } from '@/test/support/best-of';
import { makeAccount } from '@/test/support/make-account';
import { rawGet } from './testing/raw-get';
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

/** An unknown sale: every process judges a token for it from memory. */
const NOWHERE = { saleId: 'sale_nowhere', gate: 'x' };

const tokenOf = (userId: string, session: string, { saleId }: { saleId: string } = NOWHERE) =>
  signEntryToken({
    userId,
    saleId,
    level: 0,
    jti: newId('jti'),
    expiresAt: Date.now() + 3_600_000,
    device: '',
    session,
  });

async function entered() {
  const user = await makeAccount();
  const sessionId = await startSession(user);
  return { userId: user.id, sessionId };
}

/**
 * Says whether a process still accepts the token. Asks for an order with it, which the process answers itself or
 * leaves to Next.
 */
async function isGood({ origin }: FastPathProcess, token: string): Promise<boolean> {
  const answer = await rawGet(`${origin}/api/orders/1`, { 'x-entry-token': token });
  return answer.headers['content-type'] === 'application/problem+json';
}
const areGood = (token: string) => Promise.all(webs.map((web) => isGood(web, token)));

/** A process without Redis takes seconds to answer a good token. It refuses an ended one from memory. */
const REFUSES_WITHIN_MS = 100;

/** @returns after how many ms the first refused request was sent. */
async function untilRefused(web: FastPathProcess, token: string): Promise<number> {
  const from = performance.now();
  for (;;) {
    const sentAt = performance.now() - from;
    if (!(await Promise.race([isGood(web, token), delay(REFUSES_WITHIN_MS, true)]))) return sentAt;
    if (sentAt > 20_000) throw new Error('never in force everywhere');
  }
}
const untilAllRefuse = async (token: string) =>
  Math.max(...(await Promise.all(webs.map((web) => untilRefused(web, token)))));

describe('the entry tokens of a session', () => {
  it('[N3] are good no more within a second of its end, in every process, Redis or not', async () => {
    const endOne = async () => {
      const { userId, sessionId } = await entered();
      const token = tokenOf(userId, sessionId);
      expect(await areGood(token)).toEqual([true, true]);
      expect(await endSession(userId, sessionId)).toBe(true);
      return untilAllRefuse(token);
    };
    expect(await bestOf(1_000, endOne)).toBeLessThan(1_000);
  });

  it('[N3] are good no more within a second also if no message tells of it', async () => {
    const silently = async () => {
      const { userId, sessionId } = await entered();
      await transaction((tx) => endSessions(tx, userId));
      return untilAllRefuse(tokenOf(userId, sessionId));
    };
    expect(await bestOf(1_000, silently)).toBeLessThan(1_000);
  });

  it('[N3 F2] buy nothing then; what they have bought stays, and other sessions go on', async () => {
    const { origin } = webs[0] as FastPathProcess;
    const { userId, sessionId } = await entered();
    const [token, other] = [tokenOf(userId, sessionId, sale), tokenOf(userId, 'another', sale)];
    const bought = await sendPurchase(origin, sale, token);
    expect(bought.status).toBe(202);
    await endSession(userId, sessionId);
    await untilAllRefuse(tokenOf(userId, sessionId));
    const refused = { status: 401, body: { code: 'ENTRY_INVALID', reason: 'session_ended' } };
    expect(await sendPurchase(origin, sale, token)).toMatchObject(refused);
    expect(await sendPurchase(origin, sale, tokenOf(userId, sessionId, sale))).toMatchObject(refused);
    expect((await sendPurchase(origin, sale, other)).status).toBe(202);
    const { orderNo } = bought.body;
    const order = await rawGet(`${origin}/api/orders/${orderNo}`, { 'x-entry-token': other });
    expect(JSON.parse(order.body.toString())).toMatchObject({ orderNo });
  });

  it('[N3] of before sessions had names, and of load tests, are good until they run out', async () => {
    expect(await areGood(tokenOf(newId('user'), ''))).toEqual([true, true]);
  });
});
