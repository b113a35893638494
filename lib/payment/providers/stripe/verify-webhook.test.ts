import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { env } from '@/lib/env';
import { STRIPE_SECRETS, sign } from './testing/stripe-stand-in';
import { verifyWebhook } from './verify-webhook';

beforeAll(() => void Object.assign(env(), { stripe: { ...STRIPE_SECRETS, isLive: false } }));
afterAll(() => void Object.assign(env(), { stripe: null }));

const SESSION = {
  id: 'cs_test_1',
  object: 'checkout.session',
  client_reference_id: 'pay_1',
  amount_total: 1999,
  currency: 'eur',
  payment_status: 'paid',
  customer_details: { name: 'Ada', email: 'ada@example.com' },
};
const bodyOf = (type: string, session: object = SESSION, id: unknown = 'evt_1') =>
  JSON.stringify({ id, object: 'event', type, created: 1_800_000_000, data: { object: session } });
const DONE = bodyOf('checkout.session.completed');

describe('verifyWebhook', () => {
  it('[I1 O4] reads that money came, and keeps nobody’s name or address', async () => {
    const verdict = await verifyWebhook(DONE, sign(DONE));
    expect(verdict).toMatchObject({
      status: 'authentic',
      event: {
        webhookId: 'evt_1',
        type: 'payment.succeeded',
        paymentId: 'pay_1',
        amountMinor: 1999,
        currency: 'EUR',
      },
    });
    expect(JSON.stringify(verdict)).not.toMatch(/ada/i);
  });

  it.each([
    ['checkout.session.completed', 'unpaid', 'checkout.session.completed'],
    ['checkout.session.async_payment_succeeded', 'paid', 'payment.succeeded'],
    ['checkout.session.async_payment_failed', 'unpaid', 'payment.failed'],
    ['checkout.session.expired', 'unpaid', 'payment.failed'],
  ])('[I1 O4] %s with a payment that is %s is %s', async (type, payment_status, expected) => {
    const body = bodyOf(type, { ...SESSION, payment_status });
    expect(await verifyWebhook(body, sign(body))).toMatchObject({ event: { type: expected } });
  });

  it('[I1 O4] keeps the type of every other event: the shop ignores it', async () => {
    for (const [type, object] of [
      ['charge.updated', { id: 'ch_1' }],
      ['refund.failed', { id: 're_1', charge: null }],
      ['checkout.session.completed', { ...SESSION, client_reference_id: null, amount_total: null }],
    ] as const) {
      const body = bodyOf(type, object);
      expect(await verifyWebhook(body, sign(body))).toMatchObject({
        status: 'authentic',
        event: { type, paymentId: '' },
      });
    }
  });

  it.each([
    ['another body', DONE.replace('1999', '1998'), sign(DONE)],
    ['a byte of white space more', `${DONE} `, sign(DONE)],
    ['another secret', DONE, sign(DONE, 'whsec_another')],
    ['an hour ago', DONE, sign(DONE, STRIPE_SECRETS.webhookSecret, 3_600)],
    ['no signature', DONE, new Headers()],
    ['nonsense for a signature', DONE, new Headers({ 'stripe-signature': 't=now,v1=é' })],
    ['an older scheme', DONE, new Headers({ 'stripe-signature': 't=1,v0=aa' })],
  ])('[F5 O4] refuses %s', async (_name, body, headers) => {
    expect(await verifyWebhook(body, headers)).toMatchObject({ status: 'signature_invalid' });
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['null', 'null'],
    ['no type', '{"id":"evt_1","data":{"object":{}}}'],
    ['no object', '{"id":"evt_1","type":"checkout.session.completed"}'],
    ['no id', bodyOf('checkout.session.completed', SESSION, null)],
    ['an endless id', bodyOf('checkout.session.completed', SESSION, 'x'.repeat(201))],
    [
      'a dispute without its charge',
      bodyOf('charge.dispute.created', { id: 'dp_1', reason: 'x', status: 'lost' }),
    ],
    ['no amount of money', bodyOf('checkout.session.completed', { ...SESSION, amount_total: '1999' })],
    ['a part of a cent', bodyOf('checkout.session.completed', { ...SESSION, amount_total: 1.5 })],
    ['an amount beyond 31 bits', bodyOf('checkout.session.completed', { ...SESSION, amount_total: 3e9 })],
    ['a currency that is none', bodyOf('checkout.session.completed', { ...SESSION, currency: 'euros' })],
    ['a zero byte', bodyOf('checkout.session.completed', { ...SESSION, client_reference_id: 'a\0b' })],
    [
      'an endless payment id',
      bodyOf('checkout.session.completed', { ...SESSION, client_reference_id: 'x'.repeat(201) }),
    ],
  ])('[I1 O4] authentic but malformed: %s', async (_name, body) => {
    expect(await verifyWebhook(body, sign(body))).toMatchObject({ status: 'malformed' });
  });
});
