import { describe, expect, it } from 'vitest';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { releaseStock } from '@/lib/stock/release-stock';
import { restock } from '@/lib/stock/restock';
import { bestOf } from '@/test/support/best-of';
import { sendPurchase, tokenFor } from './testing/send-purchase';
import { openTwoWebs, untilFlagged } from './testing/two-webs';

const { origins } = openTwoWebs();

describe('sold-out flag', () => {
  it('[B5 C1] strangers are refused from memory; who has bought gets the first answer again', async () => {
    const sale = await createSaleFixture({ total: 1, users: 3 });
    const [a = '', b = ''] = origins();
    const winner = tokenFor(sale.saleId, sale.userIds[0] ?? '');
    const first = await sendPurchase(a, sale, winner);
    expect(first.status).toBe(202);
    await Promise.all([untilFlagged(a, sale), untilFlagged(b, sale)]);
    for (const origin of [a, b]) {
      expect(await sendPurchase(origin, sale, winner)).toMatchObject({
        status: 202,
        body: { orderNo: first.body.orderNo, replay: true },
      });
      const again = tokenFor(sale.saleId, sale.userIds[0] ?? '');
      expect(await sendPurchase(origin, sale, again)).toMatchObject({
        status: 409,
        body: { code: 'LIMIT_REACHED' },
      });
      const stranger = tokenFor(sale.saleId, sale.userIds[1] ?? '');
      expect(await sendPurchase(origin, sale, stranger)).toMatchObject({
        status: 409,
        body: { code: 'SOLD_OUT', available: 0 },
      });
      expect(await sendPurchase(origin, { ...sale, gate: 'x' }, stranger)).toMatchObject({ status: 403 });
    }
  });

  it('[B5] in both processes stock that returns can be bought within 250 ms, however it returns', async () => {
    const sale = await createSaleFixture({ total: 1, users: 40 });
    const { saleId, epoch, userIds } = sale;
    const [a = '', b = ''] = origins();
    const key = keys.sale(saleId);
    let buyers = 0;
    let buyer = '';
    let orderNo = '';
    const buyFrom = async (origin: string) => {
      buyer = userIds[buyers++] ?? '';
      // Uses the same token each time: a refusal does not use it up.
      const token = tokenFor(saleId, buyer);
      const from = performance.now();
      let answer = await sendPurchase(origin, sale, token);
      while (answer.status !== 202 && performance.now() - from < 5_000)
        answer = await sendPurchase(origin, sale, token);
      expect(answer.status).toBe(202);
      orderNo = String(answer.body.orderNo);
      return performance.now() - from;
    };
    await buyFrom(a);
    const ways = {
      release: () => releaseStock({ saleId, userId: buyer, orderNo }),
      restock: () => restock({ saleId, epoch, delta: 1, requestId: `restock_${buyers}` }),
      // Changes the stock like a process that dies before it can announce that: only the flag's age helps then.
      silence: () => stockRedis().multi().hincrby(key, 'total', 1).hincrby(key, 'available', 1).exec(),
    };
    for (const [way, giveBack] of Object.entries(ways)) {
      for (const origin of [a, b]) {
        const returns = async () => {
          await untilFlagged(a, sale);
          await untilFlagged(b, sale);
          await giveBack();
          return buyFrom(origin);
        };
        expect(await bestOf(250, returns), way).toBeLessThan(250);
      }
    }
  });
});
