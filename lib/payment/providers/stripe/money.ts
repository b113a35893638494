import type { Money } from '@/lib/payment/records/types';

/**
 * Currencies that Stripe counts in hundredths although they have no smaller unit (ISO 4217).
 * Source: docs.stripe.com/currencies, "special cases".
 */
const IN_HUNDREDTHS = new Set(['ISK', 'UGX']);

/** How many of Stripe's units one of our minor units is. */
const factorOf = (currency: string) => (IN_HUNDREDTHS.has(currency) ? 100 : 1);

/** Puts money the way Stripe counts it. */
export const toStripe = ({ amountMinor, currency }: Money): { amount: number; currency: string } => ({
  amount: amountMinor * factorOf(currency),
  currency: currency.toLowerCase(),
});

/** Reads money as Stripe counts it. @returns null for a part of a minor unit, which our books can't hold */
export function fromStripe(amount: number, given: string): Money | null {
  const currency = given.toUpperCase();
  const amountMinor = amount / factorOf(currency);
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null;
}
