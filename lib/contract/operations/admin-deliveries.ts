import { type Area, operation } from '../operation';
import { parcel } from '../shapes/delivery';
import { managedOrder } from '../shapes/order';

export const packOrder = operation({
  id: 'packOrder',
  method: 'POST',
  path: '/api/admin/orders/{orderNo}/pack',
  who: 'manageSales',
  says: 'Marks a paid order as packed; its address is fixed from then on. Again changes nothing.',
  answers: { 200: managedOrder },
  errors: ['ORDER_NOT_FOUND', 'NO_DELIVERY', 'ORDER_NOT_PAID', 'ADDRESS_MISSING', 'DELIVERY_STATE'],
});

export const shipOrder = operation({
  id: 'shipOrder',
  method: 'POST',
  path: '/api/admin/orders/{orderNo}/ship',
  who: 'manageSales',
  says: 'Marks a packed order as on its way, and tells the shopper. The same parcel again changes nothing; another one is refused.',
  body: parcel,
  answers: { 200: managedOrder },
  errors: ['ORDER_NOT_FOUND', 'NO_DELIVERY', 'ORDER_NOT_PAID', 'DELIVERY_STATE'],
});

export const deliverOrder = operation({
  id: 'deliverOrder',
  method: 'POST',
  path: '/api/admin/orders/{orderNo}/deliver',
  who: 'manageSales',
  says: 'Marks an order on its way as delivered. Again changes nothing.',
  answers: { 200: managedOrder },
  errors: ['ORDER_NOT_FOUND', 'NO_DELIVERY', 'DELIVERY_STATE'],
});

export const adminDeliveries: Area = {
  name: 'Admin: deliveries',
  says: 'Orders that are shipped: packed, on their way, delivered, in this order.',
  operations: [packOrder, shipOrder, deliverOrder],
};
