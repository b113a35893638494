import { z } from 'zod';
import { url } from './kinds';
import { SHOP, tell } from './tell';

/** Who takes the money. Without Stripe it is the sandbox, which moves none. */
export const paymentSettings = {
  STRIPE_SECRET_KEY: tell(
    z
      .string()
      .regex(/^[sr]k_(test|live)_[A-Za-z0-9]{16,240}$/, 'must be a secret or restricted key of Stripe')
      .optional(),
    {
      says: 'Payments are taken by Stripe with this key ([how to](HOW-TO.md#take-payments-with-stripe)). A restricted key needs Checkout Sessions and Refunds to write, Charges, PaymentIntents and Balance to read. The same for all processes.',
      usedBy: SHOP,
      example: 'sk_live_…',
      unset: 'the sandbox',
    },
  ),
  STRIPE_WEBHOOK_SECRET: tell(
    z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/=]{16,240}$/, 'must be the signing secret of an endpoint of Stripe')
      .optional(),
    {
      says: 'Signs what Stripe tells of payments. Set with `STRIPE_SECRET_KEY`.',
      usedBy: SHOP,
      example: 'whsec_…',
      unset: 'none',
    },
  ),
  STRIPE_API_URL: tell(url('http:', 'https:').optional(), {
    says: 'Another server that speaks the interface of Stripe: for tests, with a test key.',
    usedBy: SHOP,
    example: 'http://127.0.0.1:12111',
    unset: '`https://api.stripe.com`',
  }),
};
