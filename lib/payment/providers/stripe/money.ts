import { plainMoney } from '@/lib/money';
import type { Money } from '@/lib/payment/records/types';
import { ProviderFault } from '../provider-fault';

/**
 * How many of Stripe's units are how many of our minor units (ISO 4217), where they are not the same: Stripe counts crowns and
 * shillings in hundredths, which neither has, and whole ariary.
 * Source: docs.stripe.com/currencies, "special cases" and "zero-decimal currencies".
 */
const RATIOS: Readonly<Record<string, readonly [theirs: number, ours: number]>> = {
  ISK: [100, 1],
  UGX: [100, 1],
  MGA: [1, 100],
};
const SAME = [1, 1] as const;
/** Currencies with thousandths, of which Stripe takes whole hundredths alone. Source: the same page. */
const IN_TENS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

const toTheirs = ({ amountMinor, currency }: Money) => {
  const [theirs, ours] = RATIOS[currency] ?? SAME;
  return (amountMinor * theirs) / ours;
};

/** Tells whether Stripe can take, or send back, exactly this money. */
export const isCountable = (money: Money): boolean =>
  IN_TENS.has(money.currency) ? money.amountMinor % 10 === 0 : Number.isSafeInteger(toTheirs(money));

/** Puts money the way Stripe counts it. @throws ProviderFault if it can't */
export function toStripe(money: Money): { amount: number; currency: string } {
  if (!isCountable(money)) throw new ProviderFault(`Stripe has no such amount as ${plainMoney(money)}`);
  return { amount: toTheirs(money), currency: money.currency.toLowerCase() };
}

/** Reads money as Stripe counts it. @returns null for a part of a minor unit, which our books can't hold */
export function fromStripe(amount: number, given: string): Money | null {
  const currency = given.toUpperCase();
  const [theirs, ours] = RATIOS[currency] ?? SAME;
  const amountMinor = (amount * ours) / theirs;
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null;
}
