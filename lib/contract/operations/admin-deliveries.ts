import { z } from 'zod';
import { area } from '../operation';
import { address } from '../shapes/address';
import { deliveryMove } from '../shapes/delivery';
import { managedOrder } from '../shapes/order';

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
