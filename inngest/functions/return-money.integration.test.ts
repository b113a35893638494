import { afterAll, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { listDeadLetters } from '@/lib/dead-letter/list-dead-letters';
import { retryDeadLetter } from '@/lib/dead-letter/retry-dead-letter';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { refundPart } from '@/lib/order/admin/refund-part';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { returnMoney } from '@/lib/payment/return-money';
import { createOrderFixture, standOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { reportMoneyDue } from './return-money';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

it('[O4 E5] money that could not be sent back is reported to its shop, payment by payment; sent again, it goes', async () => {
  const [whole, part, sent] = await Promise.all([1, 2, 3].map(() => createOrderFixture()));
  if (!whole || !part || !sent) throw new Error('three orders expected');
  const shopOf = async ({ saleId }: typeof whole) => {
    const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    return { userId: merchantId, role: 'merchant' } as const;
  };
  for (const order of [whole, part, sent]) await payFor(order.orderNo);
  for (const order of [whole, sent])
    await refundOrder(await shopOf(order), order.orderNo, { reason: 'scratched', returnStock: false });
  await refundPart(await shopOf(part), part.orderNo, { amountMinor: 500, reason: 'late', requestId: 'r1' });
  await returnMoney([sent]);
  const run = (runId: string) =>
    reportMoneyDue({
      event: { data: { run_id: runId, event: { data: { messages: [whole, part, sent] } } } },
      error: new Error('the balance is empty'),
      step: { run: (_id, work) => work() },
    });
  expect([await run('run1'), await run('run1')]).toEqual([true, false]);

  for (const order of [whole, part]) {
    const page = await listDeadLetters(await shopOf(order), { limit: 10 }, { state: 'open' });
    expect(page?.deadLetters).toMatchObject([
      {
        consumer: 'refund-late',
        saleId: order.saleId,
        orderNo: order.orderNo,
        error: 'the balance is empty',
      },
    ]);
    const retried = await retryDeadLetter(await shopOf(order), page?.deadLetters[0]?.id ?? '');
    expect(retried.status).toBe('retried');
  }
  const page = await listDeadLetters(await shopOf(sent), { limit: 10 }, { state: 'all' });
  expect(page?.deadLetters).toEqual([]);
  const again = await db().outgoingMessage.findMany({ where: { topic: 'payments/late', sentAt: null } });
  expect(again.filter(({ payload }) => JSON.stringify(payload).includes(whole.paymentId))).toHaveLength(2);

  const sendBack = vi.spyOn(sandbox, 'refund');
  await returnMoney([whole, part]);
  expect(sendBack).toHaveBeenCalledTimes(1);
  expect(await standOf(whole.orderNo)).toBe('refunded, payment refunded');
});
