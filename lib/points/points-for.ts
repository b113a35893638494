import { minorDigits } from '@/lib/money';

/**
 * Returns one point per whole unit of the currency: 42.90 EUR are 42 points, 4,290 JPY are 4,290. @param amountMinor
 * from 0
 */
export function pointsFor(amountMinor: number, currency: string): number {
  return Math.floor(amountMinor / 10 ** minorDigits(currency));
}
