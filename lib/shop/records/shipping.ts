import 'server-only';
import { type ShippingRule, shippingRules } from '@/lib/contract/shapes/shipping';

/** Reads the rules of shipping out of a column. @throws ZodError if something else stands there: nobody ships for nothing */
export const toShipping = (json: unknown): ShippingRule[] => shippingRules.parse(json);
