import 'server-only';
import { env } from '@/lib/env';
import type { PaymentRef } from '@/lib/payment/records/types';
import { limitMs } from '@/lib/time-limits';
import { signWebhook } from './sign-webhook';

type SandboxOutcome = 'payment.succeeded' | 'payment.failed';

/**
 * Tells the shop over HTTP what became of a payment, as a remote provider would.
 * @returns false if the shop did not accept it.
 */
export async function callBack(
  webhookId: string,
  type: SandboxOutcome,
  payment: PaymentRef,
): Promise<boolean> {
  const { paymentId, amountMinor, currency } = payment;
  const body = JSON.stringify({ type, data: { paymentId, amountMinor, currency } });
  try {
    const response = await fetch(new URL('/api/payments/webhooks/sandbox', env().serveOrigin), {
      method: 'POST',
      headers: signWebhook(webhookId, body),
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs('sandboxCallback')),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
