import { z } from 'zod';
import { area } from '../operation';
import { callback, callbackOutcome, sandboxPage, sandboxStatus, sandboxToken } from '../shapes/payment';

export const payments = area(
  'Payments',
  'What payment providers tell the shop, and the built-in provider `sandbox` that moves no money.',
);
const { operation } = payments;

export const receivePayment = operation('POST /api/payments/webhooks/{provider}', {
  who: 'signature',
  says: 'A callback. `sandbox` signs it by Standard Webhooks, with this body; `stripe` by `Stripe-Signature`, with its own events; both at most five minutes ago. `mollie` signs nothing: its form field `id` names a payment, and the shop asks Mollie about it. May come many times. A slash at the end of the address changes nothing.',
  body: callback,
  answers: { 200: callbackOutcome },
  errors: ['SIGNATURE_INVALID', 'NOT_FOUND', 'PAYMENT_UNAVAILABLE'],
});

export const openSandboxPayment = operation('GET /api/payments/sandbox/{paymentId}', {
  who: 'nothing',
  says: "What the sandbox's payment page shows; the token is in the address where the shop sends the shopper.",
  query: z.object({ token: z.string().default('') }),
  answers: { 200: sandboxPage },
  errors: ['PAYMENT_NOT_FOUND'],
});

const finished = z.object({ status: sandboxStatus, returnUrl: z.string() });

export const paySandboxPayment = operation('POST /api/payments/sandbox/{paymentId}/pay', {
  who: 'nothing',
  says: 'The button "pay" of that page; the shop is told by a callback.',
  body: sandboxToken,
  answers: { 200: finished },
  errors: ['PAYMENT_NOT_FOUND', 'CALLBACK_REFUSED'],
});

export const declineSandboxPayment = operation('POST /api/payments/sandbox/{paymentId}/decline', {
  who: 'nothing',
  says: 'The button "decline" of that page; the shop is told by a callback.',
  body: sandboxToken,
  answers: { 200: finished },
  errors: ['PAYMENT_NOT_FOUND', 'CALLBACK_REFUSED'],
});
