import { z } from 'zod';
import { finishPaymentSchema } from '@/lib/payment/sandbox/finish-payment';
import type { SandboxPage } from '@/lib/payment/sandbox/open-page';
import { callbackSchema } from '@/lib/payment/sandbox/verify-webhook';
import { PAYMENT_OUTCOMES } from '@/lib/payment/types';
import type { Area } from '../operation';
import { currency, money } from '../views/common';

const status = z.enum(['pending', 'succeeded', 'failed', 'refunded']);

const sandboxPage = z.object({
  ...{ paymentId: z.string(), orderNo: z.string(), amountMinor: money, currency, title: z.string() },
  ...{ status, returnUrl: z.string() },
}) satisfies z.ZodType<SandboxPage>;

const outcome = z.enum(PAYMENT_OUTCOMES);

export const payments: Area = {
  name: 'Payments',
  says: 'What payment providers tell the shop, and the built-in provider `sandbox` that moves no money.',
  operations: [
    {
      id: 'receivePayment',
      method: 'POST',
      path: '/api/payments/webhooks/{provider}',
      who: 'signature',
      says: 'A callback, signed by Standard Webhooks: HMAC-SHA256 over id, time and raw body, five minutes old at most. May come many times.',
      body: callbackSchema,
      answers: { 200: z.object({ outcome }) },
      errors: ['SIGNATURE_INVALID', 'NOT_FOUND'],
    },
    {
      id: 'openSandboxPayment',
      method: 'GET',
      path: '/api/payments/sandbox/{paymentId}',
      who: 'nothing',
      says: "What the sandbox's payment page shows; the token is in the address where the shop sends the shopper.",
      query: z.object({ token: z.string() }),
      answers: { 200: sandboxPage },
      errors: ['PAYMENT_NOT_FOUND'],
    },
    ...(['pay', 'decline'] as const).map((decision) => ({
      id: `${decision}SandboxPayment`,
      method: 'POST' as const,
      path: `/api/payments/sandbox/{paymentId}/${decision}`,
      who: 'nothing' as const,
      says: `The button "${decision}" of that page; the shop is told by a callback.`,
      body: finishPaymentSchema,
      answers: { 200: z.object({ status, returnUrl: z.string() }) },
      errors: ['PAYMENT_NOT_FOUND', 'CALLBACK_REFUSED'] as const satisfies string[],
    })),
  ],
};
