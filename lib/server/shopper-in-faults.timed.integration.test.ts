import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { openShopBehindLinks, type ShopBehindLinks } from '@/test/support/shop-behind-links';
import type { Link } from '@/tools/harness/stack/link';
import { rawGet } from './testing/raw-get';
import { sendPurchase, tokenFor } from './testing/send-purchase';
import type { FastPathProcess } from './testing/start-fast-path';

/*
 * Tests what a shopper gets over HTTP from a real web process while its servers fail: a code of the contract, when to
 * ask again, and afterwards the real answer.
 */

let shop: ShopBehindLinks;
let redis: Link;
let postgres: Link;
let fastPath: FastPathProcess;

beforeAll(async () => {
  shop = await openShopBehindLinks();
  ({ redis, postgres, fastPath } = shop);
});
afterEach(() => {
  redis.heal();
  postgres.heal();
});
afterAll(async () => {
  await shop.stop();
  await Promise.all([closeRedis(), closeDb()]);
});

/** Makes a shopper who has bought, as their browser sees it. */
async function bought(sale: SaleFixture, userId = sale.userIds[0] ?? '') {
  const token = tokenFor(sale.saleId, userId);
  const buy = () => sendPurchase(fastPath.origin, sale, token);
  let first = await buy();
  await vi.waitFor(
    async () => {
      if (first.status === 503) first = await buy();
      expect(first.status).toBe(202);
    },
    { timeout: 15_000, interval: 100 },
  );
  const look = async () => {
    const raw = await rawGet(`${fastPath.origin}/api/orders/${first.body.orderNo}`, {
      'x-entry-token': token,
    });
    return { status: raw.status, body: JSON.parse(raw.body.toString()) as Record<string, unknown>, raw };
  };
  return { buy, look, orderNo: first.body.orderNo };
}
const other = (sale: SaleFixture) =>
  sendPurchase(fastPath.origin, sale, tokenFor(sale.saleId, sale.userIds[1] ?? ''));

/** Expects a proper request to ask again that reveals nothing behind the shop. */
function expectAskAgain({ status, body, raw }: Awaited<ReturnType<typeof sendPurchase>>, code: string): void {
  expect([status, body.code]).toEqual([503, code]);
  expect(raw.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'retry-after': expect.stringMatching(/^[1-9]\d?$/),
  });
  expect(raw.body.toString()).not.toMatch(/redis|postgres|prisma|ECONN|OOM|at \w+ \(|127\.0\.0\.1/i);
}

describe('what a shopper is told', () => {
  it('[J4] Redis down: ask again; the same token has its order when it is back', async () => {
    const sale = await createSaleFixture();
    const shopper = await bought(sale);
    redis.cut();
    expectAskAgain(await other(sale), 'STOCK_UNAVAILABLE');
    expectAskAgain(await shopper.buy(), 'STOCK_UNAVAILABLE');
    expectAskAgain(await shopper.look(), 'UNAVAILABLE');
    // The shop still shows the order that is in Postgres.
    await drainOutbox(sale.saleId);
    expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'pending_payment' } });
    redis.heal();
    await vi.waitFor(
      async () =>
        expect(await shopper.buy()).toMatchObject({
          status: 202,
          body: { orderNo: shopper.orderNo, replay: true },
        }),
      { timeout: 15_000, interval: 100 },
    );
  });

  it('[J4] Redis two seconds slow: ask again, or the answer', async () => {
    const sale = await createSaleFixture();
    const shopper = await bought(sale);
    redis.slow();
    const [answer, again] = await Promise.all([other(sale), shopper.buy()]);
    for (const one of [answer, again]) if (one.status !== 202) expectAskAgain(one, 'STOCK_UNAVAILABLE');
    redis.heal();
    await vi.waitFor(async () => expect((await shopper.look()).body.status).toBe('queued'), 15_000);
  });

  it('[J4] Redis full: ask again; who has bought still sees it, and nothing is half done', async () => {
    const sale = await createSaleFixture();
    const shopper = await bought(sale);
    await stockRedis().config('SET', 'maxmemory', '1');
    try {
      expectAskAgain(await other(sale), 'STOCK_UNAVAILABLE');
      expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'queued' } });
    } finally {
      await stockRedis().config('SET', 'maxmemory', '0');
    }
    expect((await other(sale)).status).toBe(202);
    expect(await drainOutbox(sale.saleId)).toBe(2);
  });

  it('[J4] Redis empty: an accepted order is never unknown, and its token keeps its answer', async () => {
    const sale = await createSaleFixture();
    const shopper = await bought(sale);
    await stockRedis().flushdb();
    expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'queued' } });
    const answers: number[] = [];
    await vi.waitFor(
      async () => {
        const [again, seen] = await Promise.all([shopper.buy(), shopper.look()]);
        answers.push(seen.status);
        if (again.status === 503) expectAskAgain(again, 'STOCK_UNAVAILABLE');
        expect(again).toMatchObject({ status: 202, body: { orderNo: shopper.orderNo, replay: true } });
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(answers.every((status) => status === 200 || status === 503)).toBe(true);
  });

  it('[J4 E1] Postgres down: bought, and waiting for the order; no page of errors', async () => {
    const sale = await createSaleFixture();
    const shopper = await bought(sale);
    postgres.cut();
    expect((await other(sale)).status).toBe(202);
    expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'queued' } });
    // The order is written, but no store can confirm it now. The answer must not say that there is none.
    await drainOutbox(sale.saleId);
    await stockRedis().hdel(keys.buyers(sale.saleId), sale.userIds[0] ?? '');
    expectAskAgain(await shopper.look(), 'UNAVAILABLE');
    postgres.heal();
    await vi.waitFor(
      async () =>
        expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'pending_payment' } }),
      { timeout: 15_000, interval: 100 },
    );
  });

  it('[J4 E1] Workers and executor down: bought, and waiting for the order', async () => {
    // No worker runs beside this test: only the code that does the worker's job at the end takes the message.
    const sale = await createSaleFixture();
    const shopper = await bought(sale);
    expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'queued', payBy: null } });
    expect(await drainOutbox(sale.saleId)).toBe(1);
    expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'pending_payment' } });
  });

  it('[J4] Postgres has no connection left: the same', async () => {
    const sale = await createSaleFixture();
    const shopper = await bought(sale);
    await db().$executeRawUnsafe(`ALTER ROLE ${shop.role} CONNECTION LIMIT 0`);
    await db()
      .$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${shop.role}`;
    expect((await other(sale)).status).toBe(202);
    expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'queued' } });
    await db().$executeRawUnsafe(`ALTER ROLE ${shop.role} CONNECTION LIMIT -1`);
    await drainOutbox(sale.saleId);
    expect(await shopper.look()).toMatchObject({ status: 200, body: { status: 'pending_payment' } });
  });
});
