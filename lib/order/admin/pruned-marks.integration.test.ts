import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { pruneMarks } from '@/lib/order/records/prune-marks';
import { sweep } from '@/lib/payment/sweep';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buyForAll, countStock, createSaleFixture, readStates } from '@/lib/purchase/testing/sale-fixture';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { verifySale } from '@/lib/verify/verify-sale';
import { refundOrder } from './refund-order';

process.env.KEEP_MARKS_DAYS = '10';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

type Sold = Awaited<ReturnType<typeof sellThree>>;
let sold: Sold;

/** Sells three units of ten: two paid and counted, one unpaid. */
async function sellThree() {
  const sale = await createSaleFixture();
  const { saleId } = sale;
  const orders = await buyForAll(sale);
  await drainOutbox(saleId);
  const messages = orders.slice(0, 2).map(({ orderNo }) => ({ saleId, orderNo }));
  for (const { orderNo } of messages) await payFor(orderNo);
  await confirmPaid(messages);
  return { saleId, orders, messages };
}

const marksOf = ({ orders }: Sold) =>
  db().processedMessage.count({ where: { messageId: { in: orders.map(({ orderNo }) => orderNo) } } });

/** Has the retention pass, for the marks of this sale. */
async function prune({ orders }: Sold): Promise<void> {
  await db().$executeRaw`
    UPDATE processed_messages SET processed_at = now() - interval '11 days'
    WHERE message_id = ANY (${orders.map(({ orderNo }) => orderNo)}::text[])`;
  await pruneMarks();
}

const PRESENT = { redis: { available: 7, held: 1, sold: 2 }, postgres: { held: 1, sold: 2 } };

async function expectWhole({ saleId }: Sold): Promise<void> {
  const verification = await verifySale(saleId, { settleMs: 200 });
  expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
  const reconciled = await reconcileSale(saleId, { cause: 'demand', isRepairing: false, graceMs: 200 });
  expect(reconciled).toMatchObject({ status: 'done', report: { ok: true, differences: [] } });
}

beforeEach(async () => {
  sold = await sellThree();
});

describe('messages delivered again', () => {
  for (const when of ['before', 'after'] as const) {
    it(`[E4 E9] change nothing ${when} their marks have gone`, async () => {
      if (when === 'after') await prune(sold);
      expect(await marksOf(sold)).toBe(when === 'before' ? 5 : 0);
      const before = await readStates(sold.saleId);
      await createOrders({ saleId: sold.saleId, orders: sold.orders });
      expect(await confirmPaid(sold.messages)).toBe(0);
      await sweep();
      expect(await countStock(sold.saleId)).toEqual(PRESENT);
      expect(await readStates(sold.saleId)).toEqual(before);
      await expectWhole(sold);
    });
  }

  it('[E4 E9] count once where the mark goes while the same message is under way again', async () => {
    await prune(sold);
    await Promise.all([1, 2, 3, 4].map(() => confirmPaid(sold.messages)));
    await Promise.all(
      [1, 2, 3].map(() => createOrders({ saleId: sold.saleId, orders: [...sold.orders].reverse() })),
    );
    expect(await countStock(sold.saleId)).toEqual(PRESENT);
    await expectWhole(sold);
  });
});

describe('orders whose marks have gone', () => {
  it('[I9 E9] give their unit back from the sold ones when they are refunded', async () => {
    await prune(sold);
    const { merchantId: userId } = await db().sale.findUniqueOrThrow({ where: { id: sold.saleId } });
    const refund = { reason: 'broken', returnStock: true };
    const orderNo = sold.messages[0]?.orderNo ?? '';
    expect(await refundOrder({ userId, role: 'merchant' }, orderNo, refund)).toMatchObject({
      status: 'refunded',
    });
    expect(await countStock(sold.saleId)).toEqual({
      redis: { available: 8, held: 1, sold: 1 },
      postgres: { held: 1, sold: 1 },
    });
    await expectWhole(sold);
  });

  it('[C8 E9] are loaded as sold when Redis has lost the sale', async () => {
    await prune(sold);
    const { saleId } = sold;
    await stockRedis().unlink(keys.sale(saleId), keys.buyers(saleId), keys.outbox(saleId));
    expect((await ensureStockLoaded(saleId)).status).toBe('loaded');
    expect(await countStock(saleId)).toEqual(PRESENT);
    await expectWhole(sold);
  });
});
