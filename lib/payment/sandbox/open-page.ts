import 'server-only';
import { findPayment, type StoredPayment } from '../find-payment';
import { isPageToken } from './page-token';

export type SandboxStatus = 'pending' | 'succeeded' | 'failed' | 'refunded';

/** What the sandbox's payment page shows. Money in minor units. */
export type SandboxPage = {
  paymentId: string;
  orderNo: string;
  amountMinor: number;
  currency: string;
  title: string;
  status: SandboxStatus;
  returnUrl: string;
};

/** The payment page behind a payment id and its token, or null if one of them is wrong. */
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
    status: status === 'refund_due' ? 'refunded' : status,
    returnUrl: `/orders/${orderNo}`,
  };
}
