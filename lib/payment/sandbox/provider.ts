import 'server-only';
import { db } from '@/lib/db/client';
import type { PaymentProvider } from '../provider';
import { pageToken } from './page-token';
import { queryState } from './query-state';
import { verifyWebhook } from './verify-webhook';

/** The built-in provider: moves no money, but calls back over HTTP with a signature like a real one. */
export const sandbox: PaymentProvider = {
  name: 'sandbox',
  async createRedirectUrl({ paymentId, orderNo }) {
    const query = new URLSearchParams({ token: pageToken(paymentId), return: `/orders/${orderNo}` });
    return `/pay/sandbox/${paymentId}?${query}`;
  },
  queryState,
  async refund({ paymentId }) {
    // There is no money to send back; the record is all there is.
    await db().sandboxPayment.updateMany({
      where: { paymentId, refundedAt: null },
      data: { refundedAt: new Date() },
    });
  },
  verifyWebhook,
};
