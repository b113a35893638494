import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signWebhook } from './sign-webhook';
import { verifyWebhook } from './verify-webhook';

const DATA = { paymentId: 'pay_1', amountMinor: 1999, currency: 'EUR' };
const BODY = JSON.stringify({ type: 'payment.succeeded', data: DATA });
const MINUTE_MS = 60_000;

const headers = (overrides: Record<string, string> = {}, body = BODY, sentAt = new Date()) =>
  new Headers({ ...signWebhook('msg_1', body, sentAt), ...overrides });

describe('verifyWebhook', () => {
  it('[I1] reads an authentic callback', () => {
    expect(verifyWebhook(BODY, headers())).toEqual({
      status: 'authentic',
      event: { webhookId: 'msg_1', type: 'payment.succeeded', ...DATA, payload: JSON.parse(BODY) },
    });
  });

  it('[I1] follows the standard: a signature made by the reference library is accepted', () => {
    const sentAt = new Date();
    const secret = process.env.SANDBOX_WEBHOOK_SECRET ?? '';
    const signature = new Webhook(secret).sign('msg_1', sentAt, BODY);
    expect(headers({}, BODY, sentAt).get('webhook-signature')).toBe(signature);
  });

  it.each([
    ['another body', BODY.replace('1999', '1998'), headers()],
    ['a byte of white space more', `${BODY} `, headers()],
    ['another id', BODY, headers({ 'webhook-id': 'msg_2' })],
    ['another time', BODY, headers({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) })],
    [
      'another secret',
      BODY,
      headers({ 'webhook-signature': new Webhook('whsec_AAAA').sign('msg_1', new Date(), BODY) }),
    ],
    ['another version', BODY, headers({ 'webhook-signature': 'v0,AAAA' })],
    ['an empty signature', BODY, headers({ 'webhook-signature': '' })],
    ['no signature', BODY, new Headers()],
    ['a time that is no number', BODY, headers({ 'webhook-timestamp': 'now' })],
    ['five minutes and a second ago', BODY, headers({}, BODY, new Date(Date.now() - 5 * MINUTE_MS - 1000))],
    [
      'five minutes and two seconds ahead',
      BODY,
      headers({}, BODY, new Date(Date.now() + 5 * MINUTE_MS + 2000)),
    ],
  ])('[F5] refuses %s', (_name, body, given) => {
    expect(verifyWebhook(body, given)).toMatchObject({ status: 'signature_invalid' });
  });

  it('[F5] accepts four minutes of delay', () => {
    const late = headers({}, BODY, new Date(Date.now() - 4 * MINUTE_MS));
    expect(verifyWebhook(BODY, late)).toMatchObject({ status: 'authentic' });
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['nothing', ''],
    ['null', 'null'],
    ['no data', '{"type":"payment.succeeded"}'],
    ['an amount that is a text', BODY.replace('1999', '"1999"')],
    ['a fraction', BODY.replace('1999', '19.99')],
    ['a negative amount', BODY.replace('1999', '-1')],
    ['an amount beyond 31 bits', BODY.replace('1999', '3000000000')],
    ['a currency in lower case', BODY.replace('EUR', 'eur')],
    ['half of a character', BODY.replace('pay_1', '\\ud800')],
    ['a zero byte', BODY.replace('pay_1', '\\u0000')],
    ['an endless payment id', BODY.replace('pay_1', 'x'.repeat(201))],
  ])('[I1] authentic but malformed: %s', (_name, body) => {
    expect(verifyWebhook(body, headers({}, body))).toMatchObject({ status: 'malformed' });
  });

  it('[I1] an endless webhook id is malformed', () => {
    const id = 'x'.repeat(201);
    expect(verifyWebhook(BODY, new Headers(signWebhook(id, BODY)))).toMatchObject({ status: 'malformed' });
  });
});
