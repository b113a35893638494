import { newRequestId } from '@/components/api/new-request-id';
import type { ShippingRule } from '@/lib/contract/shapes/shipping';
import { MAX_PARCEL_GRAMS, MAX_SHIPPING_MINOR } from '@/lib/contract/words/delivery';
import { parseMoney, toDecimal } from '@/lib/money';

/** The price of a parcel as the user typed it. */
export interface ShippingValues {
  /** Tells the rows of the form apart. */
  id: string;
  currency: string;
  /** Codes of countries, between anything that is no letter; empty: every country. */
  countries: string;
  /** Grams; empty: any. */
  maxGrams: string;
  price: string;
}

export const newShipping = (currency: string): ShippingValues => ({
  id: newRequestId(),
  currency,
  countries: '',
  maxGrams: '',
  price: '',
});

/** Returns what the form shows for a shop's rules. */
export const toShippingValues = (rules: readonly ShippingRule[]): ShippingValues[] =>
  rules.map(({ currency, countries, maxGrams, priceMinor }) => ({
    id: newRequestId(),
    currency,
    countries: countries.join(', '),
    maxGrams: maxGrams === null ? '' : String(maxGrams),
    price: toDecimal(priceMinor, currency),
  }));

type ShippingField = 'countries' | 'maxGrams' | 'price';

/** Reads one row of the form: the rule, or the first field in which something is wrong. */
export function readShipping({
  currency,
  countries,
  maxGrams,
  price,
}: ShippingValues): { rule: ShippingRule } | { wrong: ShippingField } {
  const codes = countries.toUpperCase().match(/\p{L}+/gu) ?? [];
  const grams = maxGrams.trim() === '' ? null : Number(maxGrams);
  const priceMinor = parseMoney(price, currency);
  if (codes.some((code) => !/^[A-Z]{2}$/.test(code))) return { wrong: 'countries' };
  if (grams !== null && !(Number.isInteger(grams) && grams >= 1 && grams <= MAX_PARCEL_GRAMS))
    return { wrong: 'maxGrams' };
  if (priceMinor === null || priceMinor < 0 || priceMinor > MAX_SHIPPING_MINOR) return { wrong: 'price' };
  return { rule: { currency, countries: codes, maxGrams: grams, priceMinor } };
}
