import { z } from 'zod';
import {
  DELIVERY_STEPS,
  DELIVERY_WAYS,
  MAX_PICKUP_PLACE_LENGTH,
  SHIPMENT_PROBLEMS,
  TRACKING_LENGTHS,
} from '../words/delivery';
import { printable } from './address';
import { count, csvFile, reason, time } from './common';

/** How a product reaches its buyer. A place is asked for where buyers pick it up, and only there. */
export const productDelivery = z
  .discriminatedUnion('way', [
    z.strictObject({ way: z.literal('parcel') }),
    z.strictObject({ way: z.literal('digital') }),
    z.strictObject({
      way: z.literal('pickup'),
      place: printable(MAX_PICKUP_PLACE_LENGTH).min(1).describe('Where, and when, buyers pick it up.'),
    }),
  ])
  .meta({ id: 'ProductDelivery' });
export type ProductDelivery = z.output<typeof productDelivery>;

export const orderDelivery = z
  .object({
    way: z.enum(DELIVERY_WAYS),
    place: z.string().nullable().describe('Where to pick it up.'),
    step: z.enum(DELIVERY_STEPS).nullable().describe('How far its parcel is; null: none is sent.'),
    hasAddress: z
      .boolean()
      .describe('Whether the shop knows where the parcel goes: else it is not paid or packed.'),
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable(),
    packedAt: time.nullable(),
    shippedAt: time.nullable(),
    deliveredAt: time.nullable(),
    returnedAt: time.nullable(),
  })
  .meta({ id: 'OrderDelivery' });

/** How an order reaches its buyer, and how far it is. */
export type OrderDelivery = z.output<typeof orderDelivery>;

const trackingUrl = z
  .string()
  .trim()
  .max(TRACKING_LENGTHS.trackingUrl)
  .refine(
    (value) => /^https?:\/\/[^\s/]\S*$/.test(value) && URL.canParse(value),
    'is not an http(s) address',
  );

/** The carrier's names for a parcel; each may be left out: letters have no number. */
const tracking = {
  carrier: printable(TRACKING_LENGTHS.carrier).min(1).nullish(),
  trackingNumber: printable(TRACKING_LENGTHS.trackingNumber).min(1).nullish(),
  trackingUrl: trackingUrl.nullish().describe('Where the shopper sees how far it is; http(s) only.'),
};

export const deliveryMove = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('packed') }),
  z.strictObject({ to: z.literal('shipped'), ...tracking }),
  z.strictObject({ to: z.literal('delivered') }),
  z.strictObject({ to: z.literal('returned'), reason }),
]);
/** A step of an order's parcel, as staff take it. */
export type DeliveryMove = z.output<typeof deliveryMove>;

/** The parcels that a file lists: those to be packed, or those to be sent. */
export const parcelFilter = z.object({
  step: z.enum(['waiting', 'packed']).default('waiting'),
  saleId: z.string().max(100).optional(),
});
export type ParcelFilter = z.output<typeof parcelFilter>;

export const shipmentImport = z.object({ csv: csvFile });

const shipmentError = z.object({ line: z.int(), problem: z.enum(SHIPMENT_PROBLEMS) });
export type ShipmentError = z.output<typeof shipmentError>;

export const importedShipments = z.object({
  shipped: count.describe('Those that are on their way now, the ones that were before included.'),
  failed: count,
  errors: z.array(shipmentError).describe('The first 100; more are only counted.'),
});
export type ImportedShipments = z.output<typeof importedShipments>;
