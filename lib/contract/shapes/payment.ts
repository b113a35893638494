import { z } from 'zod';
import { PAYMENT_OUTCOMES, SANDBOX_STATUSES } from '../words/payment';
import { currency, money } from './common';

export const sandboxStatus = z.enum(SANDBOX_STATUSES);

/** The content of the sandbox's payment page. */
export const sandboxPage = z.object({
  paymentId: z.string(),
  orderNo: z.string(),
  amountMinor: money,
  returnedMinor: money.describe('What the sandbox has sent back of it in parts.'),
  currency,
  title: z.string(),
  status: sandboxStatus,
  returnUrl: z.string(),
});
export type SandboxPage = z.output<typeof sandboxPage>;

export const sandboxToken = z.object({ token: z.string().min(1).max(200) });

/** Callbacks are stored as they came, as evidence, so unknown fields stay. */
export const callback = z.looseObject({
  type: z.string().min(1).max(100),
  data: z.looseObject({
    paymentId: z.string().min(1).max(200),
    amountMinor: z.number().int().min(0).max(2_147_483_647),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
});

export const callbackOutcome = z.object({ outcome: z.enum(PAYMENT_OUTCOMES) });
