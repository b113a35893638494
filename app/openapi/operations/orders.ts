import { z } from 'zod';
import { pageSchema } from '@/lib/http/cursor';
import type { Area } from '../operation';
import { pageOf } from '../views/common';
import { historyLine, order } from '../views/order';

export const orders: Area = {
  name: 'Orders',
  says: "A shopper's own orders. Someone else's are answered as if they were not there.",
  operations: [
    {
      id: 'listOrders',
      method: 'GET',
      path: '/api/orders',
      who: 'user',
      says: "The shopper's orders that are written, newest first.",
      query: pageSchema,
      answers: { 200: pageOf('orders', order) },
    },
    {
      id: 'readOrder',
      method: 'GET',
      path: '/api/orders/{orderNo}',
      who: 'sessionOrEntryToken',
      says: 'One order, from the moment its purchase was accepted.',
      answers: { 200: order },
      errors: ['ORDER_NOT_FOUND'],
    },
    {
      id: 'readOrderHistory',
      method: 'GET',
      path: '/api/orders/{orderNo}/history',
      who: 'sessionOrEntryToken',
      says: 'What happened to it, oldest first; empty while it is queued.',
      answers: { 200: z.object({ events: z.array(historyLine) }) },
      errors: ['ORDER_NOT_FOUND'],
    },
    {
      id: 'payOrder',
      method: 'POST',
      path: '/api/orders/{orderNo}/pay',
      who: 'user',
      says: 'Where to pay it. Asked again: the same payment.',
      answers: { 200: z.object({ paymentId: z.string(), redirectUrl: z.string() }) },
      errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAYABLE'],
    },
    {
      id: 'cancelOrder',
      method: 'POST',
      path: '/api/orders/{orderNo}/cancel',
      who: 'user',
      says: 'Cancels an unpaid order; its units can be bought again at once.',
      answers: { 200: order },
      errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_CANCELLABLE'],
    },
  ],
};
