import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { decideOutcome } from '@/lib/payment/providers/sandbox/decide-outcome';
import type { PaymentEvent } from '@/lib/payment/records/types';

/** Builds the callback that says an order was paid, as the provider would send it. */
export async function succeeded(
  orderNo: string,
  overrides: Partial<PaymentEvent> = {},
): Promise<PaymentEvent> {
  const payment = await db().payment.findFirstOrThrow({ where: { id: `pay_${orderNo}` } });
  return {
    webhookId: newId('msg'),
    type: 'payment.succeeded',
    paymentId: payment.id,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    payload: { test: true },
    ...overrides,
  };
}

/** Makes the provider take an order's exact amount, or other money, before any callback. */
export async function charge(
  orderNo: string,
  other: Partial<Pick<PaymentEvent, 'amountMinor' | 'currency'>> = {},
): Promise<PaymentEvent> {
  const event = await succeeded(orderNo, other);
  await decideOutcome({ ...event, orderNo }, 'succeeded');
  return event;
}

/** Pays an order's exact amount. @returns the outcome of the callback. */
export async function payFor(orderNo: string) {
  return applyPaymentEvent('sandbox', await charge(orderNo));
}
