import { expect, it } from 'vitest';
import { noticesOf } from '@/lib/order/records/announce';
import { messagesOf } from './messages-of';

const ORDER = { saleId: 'sale_1', orderNo: '1024' };

it('[E6 O7] a given-up message is sent again as it was, also one that names an amount or that was asked for', () => {
  const [notice] = noticesOf('part_refunded', ORDER, { nth: '1', amountMinor: 500 });
  for (const payload of [notice?.payload, { ...ORDER, isAsked: true }])
    expect(messagesOf({ consumer: 'mail', payload })).toEqual([{ topic: 'mail', payload }]);
});

it.each([null, [], 'text', { orderNo: { nested: 1 } }])('[E6] nothing is sent again of %j', (payload) => {
  expect(messagesOf({ consumer: 'mail', payload })).toBeNull();
});
