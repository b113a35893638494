import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { isOutageError } from '@/lib/errors/outage-error';
import type { PaymentProvider } from '../provider';
import { openPage } from './open-page';
import { readStates } from './read-state';
import { readStatement } from './read-statement';
import { refundAll } from './refund-all';
import { refundPart } from './refund-part';
import { verifyWebhook } from './verify-webhook';

/** Stripe, by its Checkout: cards, wallets, Alipay, WeChat Pay, as the account allows. */
export const stripe: PaymentProvider = {
  name: 'stripe',
  createRedirectUrl: openPage,
  queryState: async (paymentId) => (await readStates([paymentId])).get(paymentId) ?? { status: 'unknown' },
  queryStates: readStates,
  readStatement,
  refund: refundAll,
  refundPart,
  // Which session takes a payment's money is in our Postgres. A time that ran out was spent on Stripe.
  isOurs: (error) => isOutage(error) && !isOutageError(error as Error),
  verifyWebhook,
};
