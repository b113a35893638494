import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { payOrder } from '@/lib/payment/pay-order';
import { decideOutcome } from '@/lib/payment/providers/sandbox/decide-outcome';
import { readSandboxPage } from '@/lib/payment/providers/sandbox/read-page';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { succeeded } from '@/lib/purchase/testing/pay-for';
import { runLimited } from '@/lib/purchase/testing/run-limited';
import { buyForAll, createSaleFixture, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from '@/lib/settlement/create-orders';
import { changeOrderPrice } from './change-order-price';

const ORDERS = 60;
const STEPS = 5;
const AT_ONCE = 6;

afterAll(() => Promise.all([closeRedis(), closeDb()]));

it('[I1 F3] 60 price changes racing 60 payments: nobody is charged and cancelled, nobody pays another amount than the order', async () => {
  const sale = await createSaleFixture({ total: ORDERS, users: ORDERS, priceMinor: 1000 });
  const { saleId } = sale;
  const orders = await buyForAll(sale);
  await createOrders({ saleId, orders });
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const merchant = { userId: merchantId, role: 'merchant' as const };

  /** Pays as a shopper does; the price change starts together with one of the steps. */
  const payAmidChange = async ({ userId, orderNo }: (typeof orders)[number], nth: number) => {
    const change = () => changeOrderPrice(merchant, orderNo, { priceMinor: 900, version: 1 });
    const changes: ReturnType<typeof change>[] = [];
    // Some price changes come before anything else, so that in the race either side wins sometimes.
    if (nth % STEPS === STEPS - 1) await change();
    const step = <T>(at: number, work: () => Promise<T>): Promise<T> => {
      if (at === nth % STEPS) changes.push(change());
      return work();
    };
    const opened = await step(0, () => payOrder(userId, orderNo));
    if (opened.status !== 'payable') throw new Error(opened.status);
    const token = new URL(opened.redirectUrl, 'http://x').searchParams.get('token') ?? '';
    const page = await step(1, () => readSandboxPage(opened.paymentId, token));
    if (!page) throw new Error('no page');
    await step(2, () => decideOutcome(page, 'succeeded'));
    const { amountMinor, currency } = page;
    const event = await succeeded(orderNo, { amountMinor, currency });
    await step(3, () => applyPaymentEvent('sandbox', event));
    await Promise.all(changes);
  };
  const tasks = orders.map((order, nth) => () => payAmidChange(order, nth));
  await runLimited(tasks, AT_ONCE);
  const orderNos = orders.map(({ orderNo }) => orderNo);
  await makeOverdue(orderNos);
  await releaseUnpaid(orderNos);

  const rows = await db().$queryRaw<{ status: string; amount: number; charged: number }[]>`
    SELECT o.status, o.amount_minor AS amount, s.amount_minor AS charged
    FROM orders o JOIN sandbox_payments s ON s.payment_id = 'pay_' || o.id WHERE o.sale_id = ${saleId}`;
  expect(rows).toHaveLength(ORDERS);
  expect(rows.filter(({ status }) => status !== 'paid')).toEqual([]);
  expect(rows.filter(({ amount, charged }) => amount !== charged)).toEqual([]);
  expect(new Set(rows.map(({ charged }) => charged))).toEqual(new Set([900, 1000]));
});
