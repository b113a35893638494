import { area } from '../operation';
import { pendingApproval } from '../shapes/approval';
import { page, pageOf, reasonBody } from '../shapes/common';
import {
  adminOrder,
  managedOrder,
  order,
  orderDetail,
  orderFilter,
  orderPrice,
  refund,
  refundPart,
} from '../shapes/order';
import { ORDER_FILE_COLUMNS } from '../words/order';
import { SAYS_OF_CSV } from './says-of-csv';

export const adminOrders = area('Admin: orders', "Orders of the merchant's own sales.");
const { operation } = adminOrders;

const SAYS_OF_FILTER =
  '`user` is an id or an e-mail address; `from` and `to` are about when it was bought, `to` itself not included.';

export const listAdminOrders = operation('GET /api/admin/orders', {
  who: 'seeAdmin',
  says: `Orders, newest first; ${SAYS_OF_FILTER}`,
  query: page.extend(orderFilter.shape),
  side: { feature: 'search', fields: ['user', 'from', 'to'] },
  answers: { 200: pageOf('orders', adminOrder) },
});

export const exportOrders = operation('GET /api/admin/orders/export', {
  who: 'seeAdmin',
  asksAgain: true,
  says: `All of them as a file; ${SAYS_OF_FILTER}`,
  query: orderFilter,
  side: { feature: 'search' },
  answers: {
    200: {
      mediaType: 'text/csv',
      says: `${ORDER_FILE_COLUMNS.join(', ')}. Amounts as people write them: 19.90. ${SAYS_OF_CSV}`,
    },
  },
});

export const readManagedOrder = operation('GET /api/admin/orders/{orderNo}', {
  who: 'seeAdmin',
  says: 'An order with all that is known of it: who bought it and when, its payment, all that happened to it, and how its sale stands.',
  answers: { 200: orderDetail },
  errors: ['ORDER_NOT_FOUND'],
});

export const changeOrderPrice = operation('PATCH /api/admin/orders/{orderNo}', {
  who: 'manageSales',
  asksAgain: true,
  says: 'The price per unit of an unpaid order, based on the version last seen. Once its payment was opened the amount is fixed.',
  body: orderPrice,
  answers: { 200: order },
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAYABLE', 'PAYMENT_OPENED', 'VERSION_CONFLICT'],
});

export const cancelManagedOrder = operation('POST /api/admin/orders/{orderNo}/cancel', {
  who: 'manageSales',
  says: 'Cancels an unpaid order; the shopper is told. Again changes nothing.',
  body: reasonBody,
  answers: { 200: managedOrder },
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_CANCELLABLE'],
});

export const refundOrder = operation('POST /api/admin/orders/{orderNo}/refund', {
  who: 'manageSales',
  asksAgain: true,
  says: "Sends a paid order's money back, all that is left of it; a large amount waits for a second person (202). Again changes nothing.",
  body: refund,
  answers: { 200: managedOrder, 202: pendingApproval },
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_REFUNDABLE', 'APPROVAL_PENDING'],
});

export const refundOrderPart = operation('POST /api/admin/orders/{orderNo}/refund-parts', {
  who: 'manageSales',
  asksAgain: true,
  says: "Sends a part of a paid order's money back: the order stays paid, with its units and points. A large amount waits for a second person (202).",
  body: refundPart,
  answers: { 200: managedOrder, 202: pendingApproval },
  errors: [
    'ORDER_NOT_FOUND',
    'ORDER_NOT_REFUNDABLE',
    'PART_TOO_LARGE',
    'TOO_MANY_PARTS',
    'APPROVAL_PENDING',
    'CREATED_OTHERWISE',
  ],
});
