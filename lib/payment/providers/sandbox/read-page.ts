import 'server-only';
import type { SandboxPage } from '@/lib/contract/shapes/payment';
import { findPayment, type StoredPayment } from '../../records/find-payment';
import { isPageToken } from './page-token';
import { readBooks } from './read-books';

/** Returns the payment page for a payment id and its token, or null if one of them is wrong. */
export async function readSandboxPage(paymentId: string, token: string): Promise<SandboxPage | null> {
  if (!isPageToken(paymentId, token)) return null;
  const payment = await findPayment(paymentId);
  if (payment?.provider !== 'sandbox') return null;
  const state = (await readBooks([paymentId])).get(paymentId);
  return toPage(payment, state?.status === 'succeeded' ? (state.returnedMinor ?? 0) : 0);
}

function toPage(
  { paymentId, orderNo, amountMinor, currency, title, status }: StoredPayment,
  returnedMinor: number,
): SandboxPage {
  return {
    paymentId,
    orderNo,
    amountMinor,
    returnedMinor,
    currency,
    title,
    // Late money may still buy its units again.
    status: status === 'refund_due' ? 'checking' : status,
    returnUrl: `/orders/${orderNo}`,
  };
}
