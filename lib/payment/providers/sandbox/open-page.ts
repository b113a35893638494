import 'server-only';
import type { SandboxPage } from '@/lib/contract/shapes/payment';
import { findPayment, type StoredPayment } from '../../records/find-payment';
import { isPageToken } from './page-token';

/** Returns the payment page for a payment id and its token, or null if one of them is wrong. */
export async function openPage(paymentId: string, token: string): Promise<SandboxPage | null> {
  if (!isPageToken(paymentId, token)) return null;
  const payment = await findPayment(paymentId);
  return payment && payment.provider === 'sandbox' ? toPage(payment) : null;
}

function toPage({ paymentId, orderNo, amountMinor, currency, title, status }: StoredPayment): SandboxPage {
  return {
    paymentId,
    orderNo,
    amountMinor,
    currency,
    title,
    // Late money may still buy its units again.
    status: status === 'refund_due' ? 'checking' : status,
    returnUrl: `/orders/${orderNo}`,
  };
}
