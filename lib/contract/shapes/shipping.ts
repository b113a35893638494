import { z } from 'zod';
import { MAX_PARCEL_GRAMS, MAX_SHIPPING_MINOR, MAX_SHIPPING_RULES } from '../words/delivery';
import { country } from './address';
import { saleCurrency } from './sale-fields';

const shippingRule = z
  .strictObject({
    currency: saleCurrency.describe('Of the sales for which it counts.'),
    countries: z.array(country).max(250).describe('Empty: every country.'),
    maxGrams: z
      .int()
      .min(1)
      .max(MAX_PARCEL_GRAMS)
      .nullable()
      .describe('The heaviest parcel; null: any. Products without a weight weigh nothing.'),
    priceMinor: z.int().min(0).max(MAX_SHIPPING_MINOR).describe('Of a whole parcel, tax included.'),
  })
  .meta({ id: 'ShippingRule' });
export type ShippingRule = z.output<typeof shippingRule>;

export const shippingRules = z
  .array(shippingRule)
  .max(MAX_SHIPPING_RULES)
  .describe(
    'What a parcel costs: the first rule that fits its currency, country and weight. Without rules for its currency it costs nothing; where none of them fits, the shop does not ship.',
  );
