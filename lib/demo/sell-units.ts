import 'server-only';
import { NO_PASSWORD } from '@/lib/account/hash-password';
import { db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { type AcceptedOrder, acceptedOf } from '@/lib/outbox/accepted-order';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { decideOutcome } from '@/lib/payment/providers/sandbox/decide-outcome';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { PAYMENT_SUCCEEDED } from '@/lib/payment/records/types';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { readStock } from '@/lib/stock/read-stock';

const MAX_UNITS = 100;

const buyerId = (n: number): string => `user_demobuyer${n}`;

/**
 * Has demo buyers buy and pay for one unit each, through the same functions as real shoppers; nobody can sign in as
 * one of them. Idempotent: the tokens are the same each time, so a repetition gets the same orders, also after half a
 * run.
 * @param units 1 … 100
 */
export async function sellUnits(saleId: string, units: number): Promise<void> {
  if (units > MAX_UNITS) throw new RangeError(`at most ${MAX_UNITS} units`);
  await createBuyers(units);
  const orders: AcceptedOrder[] = [];
  for (let n = 1; n <= units; n += 1) orders.push(await purchase(saleId, n));
  await createOrders({ saleId, orders });
  for (const { orderNo } of orders) await pay(orderNo);
  await confirmPaid(orders.map(({ orderNo }) => ({ saleId, orderNo })));
}

async function createBuyers(count: number): Promise<void> {
  await db().user.createMany({
    data: Array.from({ length: count }, (_, i) => ({
      id: buyerId(i + 1),
      email: `demo-buyer-${i + 1}@example.com`,
      name: `Demo buyer ${i + 1}`,
      passwordHash: NO_PASSWORD,
    })),
    skipDuplicates: true,
  });
}

async function purchase(saleId: string, n: number): Promise<AcceptedOrder> {
  const userId = buyerId(n);
  const stock = await readStock(saleId);
  if (!stock) throw new Error(`${saleId} is not loaded`);
  const { epoch, gate } = stock;
  const jti = `demo_${saleId}_${n}`;
  const purchase = { saleId, epoch, gate, userId, jti, orderNo: await issueOrderNo(userId), quantity: 1 };
  const result = await purchaseStock(purchase);
  if (result.status !== 'accepted' && result.status !== 'replayed') {
    throw new Error(`demo buyer ${n} of ${saleId} was answered ${result.status}`);
  }
  return acceptedOf({ ...purchase, orderNo: result.orderNo });
}

async function pay(orderNo: string): Promise<void> {
  const payment = await db().payment.findUniqueOrThrow({
    where: { shard_orderId: paymentKey(`pay_${orderNo}`) },
  });
  const { id: paymentId, amountMinor, currency } = payment;
  // As the sandbox's page does: first the provider's books, then ours.
  await decideOutcome({ paymentId, orderNo, amountMinor, currency }, 'succeeded');
  const payload = { type: PAYMENT_SUCCEEDED, data: { paymentId, amountMinor, currency } };
  const event = {
    webhookId: `demo_${orderNo}`,
    type: PAYMENT_SUCCEEDED,
    paymentId,
    amountMinor,
    currency,
    payload,
  };
  const outcome = await applyPaymentEvent(sandbox.name, event);
  if (outcome !== 'applied' && outcome !== 'repeated') throw new Error(`payment of ${orderNo}: ${outcome}`);
}
