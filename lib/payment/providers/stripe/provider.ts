import 'server-only';
import { isOurPostgres } from '../kept-pages';
import type { PaymentProvider } from '../provider';
import { isCountable } from './money';
import { openPage } from './open-page';
import { readStates } from './read-state';
import { readStatement } from './read-statement';
import { refundAll } from './refund-all';
import { refundPart } from './refund-part';
import { verifyWebhook } from './verify-webhook';

/** Stripe, by its Checkout: cards, wallets, Alipay, WeChat Pay, as the account allows. */
export const stripe: PaymentProvider = {
  name: 'stripe',
  brand: 'Stripe',
  isCountable,
  createRedirectUrl: openPage,
  queryState: async (paymentId) => (await readStates([paymentId])).get(paymentId) ?? { status: 'unknown' },
  queryStates: readStates,
  readStatement,
  refund: refundAll,
  refundPart,
  isOurFault: isOurPostgres,
  verifyWebhook,
};
