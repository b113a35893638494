import { orderFilterSchema } from '@/app/api/admin/orders/filter';
import { cancelManagedOrderSchema } from '@/lib/desk/cancel-managed-order';
import { orderPriceSchema } from '@/lib/desk/change-order-price';
import { refundOrderSchema } from '@/lib/desk/refund-order';
import { pageSchema } from '@/lib/http/cursor';
import type { Area } from '../operation';
import { pendingApproval } from '../views/approval';
import { pageOf } from '../views/common';
import { deskOrder, managedOrder, order, orderDetail } from '../views/order';

const SAYS_OF_FILTER =
  '`user` is an id or an e-mail address; `from` and `to` are about when it was bought, `to` itself not included.';

export const deskOrders: Area = {
  name: 'Desk: orders',
  says: "Orders of the merchant's own sales.",
  operations: [
    {
      id: 'listDeskOrders',
      method: 'GET',
      path: '/api/admin/orders',
      who: 'seeDesk',
      says: `Orders, newest first; ${SAYS_OF_FILTER}`,
      query: pageSchema.extend(orderFilterSchema.shape),
      answers: { 200: pageOf('orders', deskOrder) },
    },
    {
      id: 'exportOrders',
      method: 'GET',
      path: '/api/admin/orders/export',
      who: 'seeDesk',
      says: `All of them as a file; ${SAYS_OF_FILTER}`,
      query: orderFilterSchema,
      answers: {
        200: {
          mediaType: 'text/csv',
          says: 'order_no, sale_id, sale, user_id, email, quantity, unit_price_minor, amount_minor, currency, status, end_reason, payment, bought_at, written_at, pay_by, paid_at, cancelled_at',
        },
      },
    },
    {
      id: 'readManagedOrder',
      method: 'GET',
      path: '/api/admin/orders/{orderNo}',
      who: 'seeDesk',
      says: 'An order with all that is known of it: who bought it and when, its payment, all that happened to it, and how its sale stands.',
      answers: { 200: orderDetail },
      errors: ['ORDER_NOT_FOUND'],
    },
    {
      id: 'changeOrderPrice',
      method: 'PATCH',
      path: '/api/admin/orders/{orderNo}',
      who: 'desk',
      says: 'The price per unit of an unpaid order, based on the version last seen. Once its payment was opened the amount is fixed.',
      body: orderPriceSchema,
      answers: { 200: order },
      errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAYABLE', 'PAYMENT_OPENED', 'VERSION_CONFLICT'],
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
      says: "Sends a paid order's money back, all of it; a large amount waits for a second person (202). Again changes nothing.",
      body: refundOrderSchema,
      answers: { 200: managedOrder, 202: pendingApproval },
      errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_REFUNDABLE', 'APPROVAL_PENDING'],
    },
  ],
};
