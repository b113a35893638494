import { expect, it } from 'vitest';
import { orderNoOf } from './order-no-of';

it('[I1] a payment id of ours names its order; any other names none', () => {
  expect(orderNoOf('pay_118224226418168605')).toBe('118224226418168605');
  for (const id of ['pay_', 'pay_012', 'pay_9223372036854775808', 'pay_12x', 'xpay_12', '12', 'pay_-1'])
    expect(orderNoOf(id)).toBeNull();
});
