import { cancelManagedOrderSchema } from '@/lib/desk/cancel-managed-order';
import { orderPriceSchema } from '@/lib/desk/change-order-price';
import { refundOrderSchema } from '@/lib/desk/refund-order';
import type { Area } from '../operation';
import { managedOrder, order } from '../views/order';

export const deskOrders: Area = {
  name: 'Desk: orders',
  says: "Orders of the merchant's own sales.",
  operations: [
    {
      id: 'readManagedOrder',
      method: 'GET',
      path: '/api/admin/orders/{orderNo}',
      who: 'seeDesk',
      says: 'An order with its payment and all that happened to it.',
      answers: { 200: managedOrder },
      errors: ['ORDER_NOT_FOUND'],
    },
    {
      id: 'changeOrderPrice',
      method: 'PATCH',
      path: '/api/admin/orders/{orderNo}',
      who: 'desk',
      says: 'The price per unit of an unpaid order, based on the version last seen.',
      body: orderPriceSchema,
      answers: { 200: order },
      errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAYABLE', 'VERSION_CONFLICT'],
    },
    {
      id: 'cancelManagedOrder',
      method: 'POST',
      path: '/api/admin/orders/{orderNo}/cancel',
      who: 'desk',
      says: 'Cancels an unpaid order; the shopper is told. Again changes nothing.',
      body: cancelManagedOrderSchema,
      answers: { 200: managedOrder },
      errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_CANCELLABLE'],
    },
    {
      id: 'refundOrder',
      method: 'POST',
      path: '/api/admin/orders/{orderNo}/refund',
      who: 'desk',
      says: "Sends a paid order's money back, all of it. Again changes nothing.",
      body: refundOrderSchema,
      answers: { 200: managedOrder },
      errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_REFUNDABLE'],
    },
  ],
};
