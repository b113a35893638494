import { z } from 'zod';
import {
  DELIVERY_STATES,
  MAX_CARRIER_LENGTH,
  MAX_TRACKING_NUMBER_LENGTH,
  MAX_TRACKING_URL_LENGTH,
} from '../words/delivery';
import { printable } from './address';
import { time } from './common';

export const delivery = z
  .object({
    state: z.enum(DELIVERY_STATES),
    hasAddress: z.boolean().describe('Without one the order can be neither paid nor packed.'),
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable(),
    packedAt: time.nullable(),
    shippedAt: time.nullable(),
    deliveredAt: time.nullable(),
  })
  .meta({ id: 'Delivery' });

/** How far the parcel of an order is. */
export type DeliveryView = z.output<typeof delivery>;

const trackingUrl = z
  .string()
  .trim()
  .max(MAX_TRACKING_URL_LENGTH)
  .refine(
    (value) => /^https:\/\/\S+$/.test(value) && URL.canParse(value),
    'an address that begins with https://',
  );

export const parcel = z.strictObject({
  carrier: printable(MAX_CARRIER_LENGTH).min(1),
  trackingNumber: printable(MAX_TRACKING_NUMBER_LENGTH).min(1),
  trackingUrl: trackingUrl.nullish().describe('Where the shopper can see where it is; https only.'),
});
/** What the carrier calls a parcel. */
export type Parcel = z.output<typeof parcel>;
