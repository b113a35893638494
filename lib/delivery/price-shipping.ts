import type { ShippingRule } from '@/lib/contract/shapes/shipping';

/**
 * Says what a shop asks for a parcel.
 * @param rules of the shop, in its order
 * @returns minor units; 0: the shop has no rule in this currency; null: it does not ship there
 */
export function priceShipping(
  rules: readonly ShippingRule[],
  parcel: { currency: string; country: string; grams: number },
): number | null {
  const ofCurrency = rules.filter(({ currency }) => currency === parcel.currency);
  if (ofCurrency.length === 0) return 0;
  const rule = ofCurrency.find(
    ({ countries, maxGrams }) =>
      (countries.length === 0 || countries.includes(parcel.country)) &&
      (maxGrams === null || parcel.grams <= maxGrams),
  );
  return rule?.priceMinor ?? null;
}
