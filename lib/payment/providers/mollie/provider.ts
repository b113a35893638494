import 'server-only';
import { isOurPostgres } from '../kept-pages';
import type { PaymentProvider } from '../provider';
import { openPage } from './open-page';
import { readStates } from './read-state';
import { readStatement } from './read-statement';
import { refundAll } from './refund-all';
import { refundPart } from './refund-part';
import { verifyWebhook } from './verify-webhook';

/** Mollie, by its payment pages: iDEAL, Bancontact, cards, wallets, as the account allows. */
export const mollie: PaymentProvider = {
  name: 'mollie',
  brand: 'Mollie',
  createRedirectUrl: openPage,
  queryState: async (paymentId) => (await readStates([paymentId])).get(paymentId) ?? { status: 'unknown' },
  queryStates: readStates,
  readStatement,
  refund: refundAll,
  refundPart,
  isOurFault: isOurPostgres,
  verifyWebhook,
};
