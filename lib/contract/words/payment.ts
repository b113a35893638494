/** The companies that can take money: each is a folder in `lib/payment/providers`, and has a key in the settings. */
export const COMPANIES = ['stripe', 'mollie'] as const;
export type Company = (typeof COMPANIES)[number];

export const PROVIDERS = ['sandbox', ...COMPANIES] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The provider that takes a sale's money. `usual`: whichever the shop's settings choose when an order is written. */
export const SALE_PROVIDERS = ['usual', ...PROVIDERS] as const;
export type SaleProvider = (typeof SALE_PROVIDERS)[number];

/** A payment as the sandbox's page shows it. `checking`: money came late, and nobody has decided yet what it pays. */
export const SANDBOX_STATUSES = ['pending', 'succeeded', 'failed', 'checking', 'refunded'] as const;

/**
 * The result of a callback, or of a provider's answer to our request; column `payment_events.outcome`. `mismatch`: a
 * callback names another amount than asked for, or a dispute; the provider is asked. `sent_back`: its books name another
 * amount; we believe those.
 */
export const PAYMENT_OUTCOMES = [
  'applied',
  'repeated',
  'late',
  'mismatch',
  'sent_back',
  'unknown_payment',
  'ignored',
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];
