import 'server-only';
import { type ShippingRule, shippingRules } from '@/lib/contract/shapes/shipping';

/** Reads the rules of shipping out of a column. @throws ZodError if something else stands there: nobody ships for nothing */
export const toShipping = (json: unknown): ShippingRule[] => shippingRules.parse(json);

/** Tells whether some parcel costs something in a currency. */
export const asksForShipping = (rules: readonly ShippingRule[], currency: string): boolean =>
  rules.some((rule) => rule.currency === currency && rule.priceMinor > 0);
