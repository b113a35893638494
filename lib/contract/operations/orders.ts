import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { area } from '../operation';
import { language } from '../shapes/account';
import { page, pageOf } from '../shapes/common';
import { historyLine, order } from '../shapes/order';

export const orders = area(
  'Orders',
  "A shopper's own orders. Someone else's are answered as if they were not there.",
);
const { operation } = orders;

export const listOrders = operation('GET /api/orders', {
  who: 'user',
  says: "The shopper's orders that are written, newest first.",
  query: page,
  answers: { 200: pageOf('orders', order) },
});

export const readOrder = operation('GET /api/orders/{orderNo}', {
  who: 'sessionOrEntryToken',
  says: 'One order, from the moment its purchase was accepted; in a sale of the strategy `queue` from when it was queued, as `undecided`. There a purchase that was refused answers with the refusal, for an hour after the end; one that was lost undecided with NOT_DECIDED: buy again.',
  answers: { 200: order },
  errors: ['ORDER_NOT_FOUND', 'SOLD_OUT', 'LIMIT_REACHED', 'PAUSED', 'NOT_DECIDED'],
});

export const readOrderHistory = operation('GET /api/orders/{orderNo}/history', {
  who: 'sessionOrEntryToken',
  says: 'What happened to it, oldest first; empty while it is queued.',
  answers: { 200: z.object({ events: z.array(historyLine) }) },
  errors: ['ORDER_NOT_FOUND'],
});

export const payOrder = operation('POST /api/orders/{orderNo}/pay', {
  who: 'user',
  says: 'Where to pay it. Asked again: the same payment.',
  query: z.object({
    locale: language.default(routing.defaultLocale).describe('The language of the way back.'),
  }),
  answers: { 200: z.object({ paymentId: z.string(), redirectUrl: z.string() }) },
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAYABLE', 'ADDRESS_MISSING', 'PAYMENT_UNAVAILABLE'],
});

export const cancelOrder = operation('POST /api/orders/{orderNo}/cancel', {
  who: 'user',
  says: 'Cancels an unpaid order; its units can be bought again at once.',
  answers: { 200: order },
  errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_CANCELLABLE'],
});
