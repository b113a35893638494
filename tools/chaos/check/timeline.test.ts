import { describe, expect, it } from 'vitest';
import type { MerchantEntry } from '../load/ledger';
import { firstExcess, mostUnits, spanOf } from './timeline';
import type { OrderRow } from './types';

const FOR_EVER = Number.POSITIVE_INFINITY;
const span = (from: number, to = FOR_EVER, units = 1) => ({ orderNo: String(from), units, from, to });
const restock = (
  delta: number,
  askedAt: number,
  result: MerchantEntry['result'] = 'done',
): MerchantEntry => ({
  act: 'restock',
  delta,
  askedAt,
  answeredAt: askedAt + 10,
  result,
  detail: '',
});
const order: OrderRow = {
  orderNo: '1',
  userId: 'u',
  quantity: 2,
  jti: 'j',
  status: 'paid',
  amountMinor: 1,
  currency: 'EUR',
  acceptedAt: 100,
  payBy: 200,
  paidAt: 150,
  cancelledAt: null,
};

describe('firstExcess', () => {
  it('[C8] finds the moment at which more was taken than there was, also when all was well at the end', () => {
    const three = () => 3;
    expect(firstExcess([span(1), span(2), span(3)], three)).toBeNull();
    expect(firstExcess([span(1), span(2), span(3), span(4)], three)).toMatchObject({ at: 4, units: 4 });
    expect(firstExcess([span(1, 10), span(2, 10), span(3, 10), span(9, 11)], three)).toMatchObject({ at: 9 });
    expect(firstExcess([span(1, 10), span(2, 10), span(3, 10), span(10)], three)).toBeNull();
    expect(firstExcess([span(1), span(2, 9, 3)], three)).toMatchObject({ at: 2, units: 4 });
  });
});

describe('mostUnits', () => {
  it('[C8] counts what is added from the question, what is taken away from the answer', () => {
    const most = mostUnits(10, [restock(5, 100), restock(-3, 200), restock(7, 300, 'refused')]);
    expect([99, 100, 200, 210, 300].map(most)).toEqual([10, 15, 15, 12, 12]);
  });

  it('[C8] believes of what was not answered what is worse for the check', () => {
    const most = mostUnits(10, [restock(5, 100, 'unknown'), restock(-3, 200, 'unknown')]);
    expect([99, 100, 300].map(most)).toEqual([10, 15, 15]);
  });
});

describe('spanOf', () => {
  it('[C8] lasts from the purchase to the cancellation, or from a payment after the deadline', () => {
    expect(spanOf(order)).toMatchObject({ units: 2, from: 100, to: FOR_EVER });
    expect(spanOf({ ...order, status: 'cancelled', paidAt: null, cancelledAt: 230 })).toMatchObject({
      to: 230,
    });
    expect(spanOf({ ...order, paidAt: 250 })).toMatchObject({ from: 250 });
    expect(spanOf({ ...order, status: 'failed', paidAt: null })).toMatchObject({ units: 0 });
  });
});
