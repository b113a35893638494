import { afterAll, afterEach, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { recordFailedOrder } from '@/lib/order/records/record-failed-order';
import { reopenFailedRow } from '@/lib/order/records/reopen-row';
import { takers } from '@/lib/payment/providers/providers';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from './create-orders';
import { placeOrder } from './place-order';

const before = { ...env() };
const keys = { secretKey: 'sk_live_x', webhookSecret: 'whsec_x', apiUrl: undefined, isLive: true };
const mollie = { apiKey: 'live_x', apiUrl: undefined, isLive: true };

afterEach(() => void Object.assign(env(), before));
afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Writes three purchases of a sale in the three ways there are. @returns who takes the money of each */
async function takersOf(provider: string): Promise<string[]> {
  const sale = await createSaleFixture();
  const { saleId } = sale;
  await db().sale.update({ where: { id: saleId }, data: { provider } });
  const [first, second, third] = await buyForAll(sale);
  if (!first || !second || !third) throw new Error('three can buy');
  await createOrders({ saleId, orders: [first] });
  await placeOrder(saleId, second);
  await db().$transaction(async (tx) => {
    const why = { reason: 'not_writable', error: 'test', consumer: 'create-orders' } as const;
    await recordFailedOrder(tx, { saleId, order: third, ...why });
    await reopenFailedRow(tx, saleId, third.orderNo, takers());
  });
  const orderIds = [first, second, third].map(({ orderNo }) => BigInt(orderNo));
  const payments = await db().payment.findMany({ where: { orderId: { in: orderIds } } });
  return payments.map((payment) => payment.provider);
}

it.each([
  ['a sale that names none', 'usual', { stripe: keys, allowsSandbox: true }, 'stripe'],
  ['a sale at the sandbox beside a live key', 'sandbox', { stripe: keys, allowsSandbox: true }, 'sandbox'],
  [
    'a sale at the sandbox that is not allowed any more',
    'sandbox',
    { stripe: keys, allowsSandbox: false },
    'stripe',
  ],
  [
    'a sale that names none, beside keys of two companies',
    'usual',
    { stripe: keys, mollie, allowsSandbox: false, paymentProvider: 'mollie' },
    'mollie',
  ],
  [
    'a sale at Stripe, where Mollie is the usual one',
    'stripe',
    { stripe: keys, mollie, allowsSandbox: false, paymentProvider: 'mollie' },
    'stripe',
  ],
  ['a sale at Mollie, whose key is gone', 'mollie', { stripe: keys, allowsSandbox: false }, 'stripe'],
  ['a sale at Stripe whose keys are gone', 'stripe', { stripe: null, allowsSandbox: true }, 'sandbox'],
  ['a sale at nobody’s', 'gold', { stripe: null, allowsSandbox: true }, 'sandbox'],
])(
  '[O4] the money of %s is taken by who is set up, however its orders are written',
  async (_, provider, given, taker) => {
    Object.assign(env(), given);
    expect(await takersOf(provider)).toEqual([taker, taker, taker]);
  },
);
