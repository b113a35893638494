import 'server-only';
import type { PaymentProvider } from '../provider';
import { pageToken } from './page-token';
import { verifyWebhook } from './verify-webhook';

/** The built-in provider: moves no money, but calls back over HTTP with a signature like a real one. */
export const sandbox: PaymentProvider = {
  name: 'sandbox',
  async createRedirectUrl({ paymentId, orderNo }) {
    const query = new URLSearchParams({ token: pageToken(paymentId), return: `/orders/${orderNo}` });
    return `/pay/sandbox/${paymentId}?${query}`;
  },
  async refund() {
    // There is no money to send back; our own record of the refund is all there is.
  },
  verifyWebhook,
};
