import { z } from 'zod';
import { area } from '../operation';
import { address } from '../shapes/address';
import { MAX_IMPORT_BYTES } from '../shapes/common';
import { deliveryMove, importedShipments, parcelFilter, shipmentImport } from '../shapes/delivery';
import { managedOrder } from '../shapes/order';
import { SAYS_OF_CSV } from './says-of-csv';

export const adminDeliveries = area(
  'Admin: deliveries',
  'Parcels of paid orders: packed, shipped, delivered, or returned.',
);
const { operation } = adminDeliveries;

export const moveDelivery = operation('POST /api/admin/orders/{orderNo}/delivery', {
  who: 'manageSales',
  says: "Takes the next step of a paid order's parcel: `packed` (its address is fixed from then on), `shipped` (the shopper is told), `delivered`; `returned` follows either of the last two. The same again changes nothing. Money is refunded apart from this.",
  body: deliveryMove,
  answers: { 200: managedOrder },
  errors: ['ORDER_NOT_FOUND', 'NO_PARCEL', 'ORDER_NOT_PAID', 'ADDRESS_MISSING', 'DELIVERY_STEP'],
});

export const lookUpAddress = operation('GET /api/admin/orders/{orderNo}/address', {
  who: 'seeAdmin',
  says: 'Where an order goes; null: none was given, or it was forgotten. Each look is in the audit log. For members of the shop who are more than viewers, operators, admins and support.',
  answers: { 200: z.object({ address: address.nullable() }) },
  errors: ['ORDER_NOT_FOUND'],
});

export const exportParcels = operation('GET /api/admin/orders/parcels/export', {
  who: 'manageSales',
  asksAgain: true,
  says: 'Where the parcels of paid orders go, as a file: those that are to be packed, or that are packed. In the audit log before the first line.',
  query: parcelFilter,
  side: { feature: 'search' },
  answers: {
    200: {
      mediaType: 'text/csv',
      says: `order_no, sale, variant, quantity, email, name, line_1, line_2, line_3, city, region, postal_code, country, phone. ${SAYS_OF_CSV}`,
    },
  },
});

export const importShipments = operation('POST /api/admin/orders/shipments', {
  who: 'manageSales',
  says: 'Marks parcels as shipped by a CSV file, with commas or semicolons: order_no, carrier, tracking_number, tracking_url; at most 1,000 lines. What is not packed yet is packed first; the shoppers are told. Lines whose parcel can’t go are left out and named. The same file again changes nothing.',
  body: shipmentImport,
  maxBytes: MAX_IMPORT_BYTES,
  answers: { 200: importedShipments },
});
