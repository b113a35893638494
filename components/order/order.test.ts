import { describe, expect, it } from 'vitest';
import type { OrderView } from '@/lib/contract/shapes/order';
import type { OrderStatus } from '@/lib/contract/words/order';
import { orderSteps } from './order-steps';
import { orderWords } from './order-words';
import { paymentPath } from './payment-path';
import { orderPollMs } from './use-order';

const order = (status: OrderStatus, payBy: number | null) => ({ status, payBy }) as OrderView;

describe('[I6] when an order is asked for again', () => {
  it('at least every 10 s while its payment is awaited', () => {
    expect(orderPollMs(order('pending_payment', 900_000), 1, 0, 1)).toBeLessThanOrEqual(10_000);
  });
  it('right after its deadline, then quickly until the server has decided', () => {
    expect(orderPollMs(order('pending_payment', 3000), 1, 0, 1)).toBe(3500);
    expect(orderPollMs(order('pending_payment', 3000), 1, 3000, 1)).toBe(1500);
  });
  it('[E1] from 200 ms doubling to 2 s while it is being written', () => {
    expect(orderPollMs(order('queued', null), 1, 0, 1)).toBe(200);
    expect(orderPollMs(order('queued', null), 9, 0, 1)).toBe(2000);
  });
  it('no more once nothing can happen', () => {
    expect(orderPollMs(order('refunded', 1), 1, 9, 1)).toBeNull();
    expect(orderPollMs(order('failed', null), 1, 9, 1)).toBeNull();
  });
});

describe('[E1] the four steps', () => {
  const states = (status: OrderStatus) => orderSteps(status).map(({ state }) => state);
  it('follow the order', () => {
    expect(states('queued')).toEqual(['complete', 'current', 'pending', 'pending']);
    expect(states('pending_payment')).toEqual(['complete', 'complete', 'current', 'pending']);
    expect(states('paid')).toEqual(['complete', 'complete', 'complete', 'complete']);
  });
  it('show where it stopped', () => {
    expect(states('failed')[1]).toBe('stopped');
    expect(states('cancelled')[2]).toBe('stopped');
    expect(states('refunded')[3]).toBe('stopped');
  });
});

describe('[E1] the words for an order', () => {
  it('tell expiry, cancellation and a full sale apart', () => {
    expect(orderWords({ status: 'cancelled', endReason: 'expired' }, true).title).toBe('expiredTitle');
    expect(orderWords({ status: 'cancelled', endReason: 'cancelled_by_shopper' }, false).text).toBe(
      'cancelledByYou',
    );
    expect(orderWords({ status: 'cancelled', endReason: 'payment_mismatch' }, false).text).toBe(
      'cancelledByMismatch',
    );
    expect(orderWords({ status: 'failed', endReason: 'sale_full' }, false).text).toBe('saleFullText');
    expect(orderWords({ status: 'failed', endReason: 'not_writable' }, false).text).toBe('failedText');
  });
  it('[O4] say what came back of an order that stays paid', () => {
    const paid = { status: 'paid', endReason: null } as const;
    expect(orderWords({ ...paid, refundedMinor: 1 }, false).text).toBe('refundedPart');
    expect(orderWords({ ...paid, refundedMinor: 0 }, false).text).toBe('paidText');
  });
  it('do not promise a payment whose time is over', () => {
    expect(orderWords({ status: 'pending_payment', endReason: null }, false).title).toBe('pendingTitle');
    expect(orderWords({ status: 'pending_payment', endReason: null }, true).title).toBe('lapsingTitle');
  });
});

describe('[I4] the way to the payment', () => {
  const localize = (path: string) => `/zh-CN${path}`;
  it('keeps the language for our own page', () => {
    const path = paymentPath('/pay/sandbox/p1?token=a%2Bb&return=x', localize);
    expect(path).toBe('/zh-CN/pay/sandbox/p1?token=a%2Bb&return=x');
  });
  it.each([
    ["another provider's", 'https://pay.example/x?y=1'],
    ["the order's page, where the money has come", 'https://shop.test/zh-CN/orders/1'],
  ])('leaves a whole address alone: %s', (_whose, url) => {
    expect(paymentPath(url, localize)).toBe(url);
  });
});
