import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { readDatabaseStock } from '@/lib/sale/records/read-database-stock';
import { sendPurchase, tokenFor } from '@/lib/server/testing/send-purchase';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { readStock } from '@/lib/stock/read-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { giveLocksTheirOwnRedis } from '@/test/support/locks-apart';
import { makeSale } from '@/test/support/make-sale';
import { drainOutbox } from './testing/drain-outbox';
import { makeOverdue } from './testing/sale-fixture';

const BUYERS = 200;
const UNITS = 50;
/** Ends the loop of a shopper who is told to come again, should nobody ever decide: a busy machine takes minutes. */
const PATIENCE_MS = 400_000;

giveLocksTheirOwnRedis();
let webs: FastPathProcess[] = [];
beforeAll(async () => {
  webs = await Promise.all([startFastPath(), startFastPath()]);
});
afterAll(() => Promise.all(webs.map((web) => web.stop())));

type Answer = { status: number; body: Record<string, unknown> };
type Open = Pick<SaleInfo, 'saleId'> & { gate: string; merchant: Actor };

/** Asks one process until it decides. A 503 must say when to come again. */
async function ask(sale: Open, web: FastPathProcess | undefined, token: string): Promise<Answer> {
  for (const startedAt = performance.now(); ; ) {
    const { status, body, raw } = await sendPurchase(web?.origin ?? '', sale, token);
    if (status !== 503 || performance.now() - startedAt > PATIENCE_MS) return { status, body };
    expect(body).toMatchObject({ code: 'STOCK_UNAVAILABLE', retryAfterMs: expect.any(Number) });
    expect(Number(raw.headers['retry-after'])).toBeGreaterThan(0);
    await delay(Number(body.retryAfterMs) * (0.3 + Math.random() * 0.7));
  }
}

async function open(strategy: string, totalStock: number, limitPerUser = 1): Promise<Open> {
  const { sale, merchant } = await makeSale({ strategy, totalStock, limitPerUser });
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  return { saleId: sale.saleId, gate, merchant };
}

/** Reads how many units are held, in the store that has the sale's stock. */
async function heldOf(strategy: string, saleId: string): Promise<number | undefined> {
  return (await (strategy === 'database' ? readDatabaseStock(saleId) : readStock(saleId)))?.held;
}

async function makeBuyers(count: number): Promise<string[]> {
  const userIds = Array.from({ length: count }, () => newId('user'));
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${userIds}::text[]) AS u (id)`;
  return userIds;
}

describe.each(['database', 'lock'])('strategy %s in two processes', (strategy) => {
  it('[C2 C3 C1 F2] 200 buyers, each asking both processes at once, race for 50 units: exactly 50', async () => {
    const sale = await open(strategy, UNITS);
    const tokens = (await makeBuyers(BUYERS)).map((userId) => tokenFor(sale.saleId, userId));
    const startedAt = performance.now();
    const answers = await Promise.all(
      tokens.map((token) => Promise.all(webs.map((web) => ask(sale, web, token)))),
    );
    console.info(`${strategy}: ${2 * BUYERS} requests in ${Math.round(performance.now() - startedAt)} ms`);

    const winners = answers.filter((pair) => pair.some(({ status }) => status === 202));
    expect(winners).toHaveLength(UNITS);
    for (const pair of winners) {
      expect(new Set(pair.map(({ status, body }) => `${status} ${body.orderNo}`)).size).toBe(1);
      expect(pair.map(({ body }) => body.replay).sort()).toEqual([false, true]);
    }
    const others = answers.filter((pair) => !winners.includes(pair)).flat();
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['409 SOLD_OUT']),
    );

    await drainOutbox(sale.saleId);
    const rows = await db().order.findMany({ where: { saleId: sale.saleId } });
    const orderNos = winners.map((pair) => String(pair.find(({ status }) => status === 202)?.body.orderNo));
    expect(rows.map(({ id }) => String(id)).sort()).toEqual(orderNos.sort());
    const verification = await verifySale(sale.saleId, { settleMs: 0 });
    expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('[C1 C2 C3] who asks both processes with many tokens at once gets no more than the limit', async () => {
    const sale = await open(strategy, -1, 2);
    const buyers = await makeBuyers(10);
    const answers = await Promise.all(
      buyers.flatMap((userId) =>
        Array.from({ length: 10 }, (_, i) => ask(sale, webs[i % 2], tokenFor(sale.saleId, userId))),
      ),
    );
    const count = (what: string) =>
      answers.filter(({ status, body }) => `${body.code ?? status}` === what).length;
    expect([count('202'), count('LIMIT_REACHED')]).toEqual([20, 80]);
    await drainOutbox(sale.saleId);
    const verification = await verifySale(sale.saleId, { settleMs: 0 });
    expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('[C1 C2 C3] the merchant pauses in the middle of the rush, and nothing is sold after that', async () => {
    const sale = await open(strategy, -1);
    const buyers = await makeBuyers(1_000);
    let paused: Promise<{ tookMs: number; held: number | undefined }> | undefined;
    const pause = async () => {
      const startedAt = performance.now();
      expect(await setSalePaused(sale.merchant, sale.saleId, true)).toMatchObject({ status: 'changed' });
      const tookMs = performance.now() - startedAt;
      return { tookMs, held: await heldOf(strategy, sale.saleId) };
    };
    const refusals = await Promise.all(
      Array.from({ length: 32 }, async (_, i) => {
        for (;;) {
          const userId = buyers.pop();
          if (!userId) return 'nobody left';
          const { status, body } = await ask(sale, webs[i % 2], tokenFor(sale.saleId, userId));
          if (status !== 202) return body.code;
          if (buyers.length <= 900) paused ??= pause();
        }
      }),
    );
    expect(new Set(refusals)).toEqual(new Set(['PAUSED']));
    const { tookMs, held } = (await paused) ?? { tookMs: Number.NaN, held: Number.NaN };
    console.info(`${strategy}: paused after ${Math.round(tookMs)} ms`);
    expect(await heldOf(strategy, sale.saleId)).toBe(held);
  });

  it('[C2 C3 B8] sold out stays sold out, its buyer keeps the first answer, and a unit that returns is sold again', async () => {
    const sale = await open(strategy, 1);
    const [ada = '', ...strangers] = await makeBuyers(60);
    const token = tokenFor(sale.saleId, ada);
    const [first] = await Promise.all(webs.map((web) => ask(sale, web, token)));
    const orderNo = String(first?.body.orderNo);
    await drainOutbox(sale.saleId);
    const stranger = () => tokenFor(sale.saleId, strangers.pop() ?? '');
    for (let i = 0; i < 10; i += 1) {
      for (const web of webs) {
        expect((await ask(sale, web, stranger())).body).toMatchObject({ code: 'SOLD_OUT', available: 0 });
        // With the flag or without, a shopper who has bought gets the first answer again.
        expect((await ask(sale, web, token)).body).toMatchObject({ orderNo, replay: true });
      }
    }
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    const last = stranger();
    await expect.poll(async () => (await ask(sale, webs[1], last)).status, { interval: 10 }).toBe(202);
  });
});
