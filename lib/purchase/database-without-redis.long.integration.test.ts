import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { cancelOrder } from '@/lib/order/cancel-order';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { readState } from '@/lib/sale/read-state';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { startNodes, type TestNodes } from '@/test/support/start-lock-nodes';
import { purchase } from './purchase';
import { payFor } from './testing/pay-for';

/** This file's own Redis, which it kills. */
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

it('[C2 J4] a sale that sells through the database goes on while Redis is dead, with everything that follows', async () => {
  const { sale, merchant } = await makeSale({ strategy: 'database', totalStock: 3 });
  const { sale: scripted } = await makeSale({ strategy: 'script' });
  const shoppers = await Promise.all(Array.from({ length: 5 }, () => makeUser()));
  const buy = async ({ saleId }: { saleId: string }, at: number) => {
    const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const userId = shoppers[at]?.userId ?? '';
    const claims = {
      userId,
      saleId,
      level: 0,
      jti: newId('jti'),
      expiresAt: Date.now() + 60_000,
      device: '',
    };
    const reply = await purchase({ saleId, gate, entryToken: signEntryToken(claims), body: '' });
    return { http: reply.status, ...JSON.parse(reply.body.toString()) };
  };
  const state = async () => JSON.parse((await readState(sale.saleId)).body.toString());
  const { saleId } = sale;
  const first = await buy(sale, 0);

  await redis.kill(0);
  expect(await buy(scripted, 0)).toMatchObject({ http: 503, code: 'STOCK_UNAVAILABLE' });
  const second = await buy(sale, 1);
  expect([first.http, second.http]).toEqual([202, 202]);
  expect(await state()).toMatchObject({ status: 'live', stock: { total: 3, available: 1 } });

  expect(await payFor(first.orderNo)).toBe('applied');
  expect(await confirmPaid([{ saleId, orderNo: first.orderNo }])).toBe(1);
  expect(await cancelOrder(shoppers[1]?.userId ?? '', second.orderNo)).toMatchObject({ status: 'cancelled' });
  expect([(await buy(sale, 2)).http, (await buy(sale, 3)).http]).toEqual([202, 202]);
  expect(await buy(sale, 4)).toMatchObject({ http: 409, code: 'SOLD_OUT', available: 0 });
  expect(await restockSale(merchant, saleId, 1)).toMatchObject({ stock: { available: 1, held: 2, sold: 1 } });
  expect(await setSalePaused(merchant, saleId, true)).toMatchObject({ status: 'changed' });
  expect(await buy(sale, 4)).toMatchObject({ http: 409, code: 'PAUSED' });
  expect((await verifySale(saleId, { settleMs: 0 }))?.ok).toBe(true);
});
