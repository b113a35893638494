import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import type { PaymentProvider } from '../provider';
import { pageToken } from './page-token';
import { readBooks, readStatement } from './read-books';
import { refundAll } from './refund-all';
import { refundPart } from './refund-part';
import { verifyWebhook } from './verify-webhook';

/** The built-in provider: moves no money, but keeps books and calls back over HTTP with a signature like a real one. */
export const sandbox: PaymentProvider = {
  name: 'sandbox',
  brand: 'Sandbox',
  async createRedirectUrl({ paymentId }, returnPath) {
    const query = new URLSearchParams({ token: pageToken(paymentId), return: returnPath });
    return `/pay/sandbox/${paymentId}?${query}`;
  },
  queryState: async (paymentId) => (await readBooks([paymentId])).get(paymentId) ?? { status: 'unknown' },
  queryStates: readBooks,
  readStatement,
  refund: refundAll,
  refundPart,
  // Its books are in our Postgres.
  isOurFault: isOutage,
  verifyWebhook,
};
