import { z } from 'zod';
import { finishPaymentSchema } from '@/lib/payment/sandbox/finish-payment';
import type { SandboxPage } from '@/lib/payment/sandbox/open-page';
import { callbackSchema } from '@/lib/payment/sandbox/verify-webhook';
import { PAYMENT_OUTCOMES } from '@/lib/payment/types';
import { type Area, operation } from '../operation';
import { currency, money } from '../shapes/common';

const status = z.enum(['pending', 'succeeded', 'failed', 'refunded']);

const sandboxPage = z.object({
  ...{ paymentId: z.string(), orderNo: z.string(), amountMinor: money, currency, title: z.string() },
  ...{ status, returnUrl: z.string() },
}) satisfies z.ZodType<SandboxPage>;

const outcome = z.enum(PAYMENT_OUTCOMES);

export const receivePayment = operation({
  id: 'receivePayment',
  method: 'POST',
  path: '/api/payments/webhooks/{provider}',
  who: 'signature',
  says: 'A callback, signed by Standard Webhooks: HMAC-SHA256 over id, time and raw body, five minutes old at most. May come many times.',
  body: callbackSchema,
  answers: { 200: z.object({ outcome }) },
  errors: ['SIGNATURE_INVALID', 'NOT_FOUND'],
});

export const openSandboxPayment = operation({
  id: 'openSandboxPayment',
  method: 'GET',
  path: '/api/payments/sandbox/{paymentId}',
  who: 'nothing',
  says: "What the sandbox's payment page shows; the token is in the address where the shop sends the shopper.",
  query: z.object({ token: z.string() }),
  answers: { 200: sandboxPage },
  errors: ['PAYMENT_NOT_FOUND'],
});

const finished = z.object({ status, returnUrl: z.string() });

export const paySandboxPayment = operation({
  id: 'paySandboxPayment',
  method: 'POST',
  path: '/api/payments/sandbox/{paymentId}/pay',
  who: 'nothing',
  says: 'The button "pay" of that page; the shop is told by a callback.',
  body: finishPaymentSchema,
  answers: { 200: finished },
  errors: ['PAYMENT_NOT_FOUND', 'CALLBACK_REFUSED'],
});

export const declineSandboxPayment = operation({
  id: 'declineSandboxPayment',
  method: 'POST',
  path: '/api/payments/sandbox/{paymentId}/decline',
  who: 'nothing',
  says: 'The button "decline" of that page; the shop is told by a callback.',
  body: finishPaymentSchema,
  answers: { 200: finished },
  errors: ['PAYMENT_NOT_FOUND', 'CALLBACK_REFUSED'],
});

export const payments: Area = {
  name: 'Payments',
  says: 'What payment providers tell the shop, and the built-in provider `sandbox` that moves no money.',
  operations: [receivePayment, openSandboxPayment, paySandboxPayment, declineSandboxPayment],
};
