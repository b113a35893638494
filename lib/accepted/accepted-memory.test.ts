import { beforeEach, describe, expect, it } from 'vitest';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import {
  forgetExpired,
  hasOlder,
  recallAccepted,
  rememberAccepted,
  rememberedSales,
  rememberRepeated,
  takeOlder,
} from './accepted-memory';

const order = (n: number): AcceptedOrder => ({
  orderNo: String(n),
  userId: `user_${n}`,
  quantity: 1,
  jti: `jti_${n}`,
  epoch: 1,
  acceptedAt: 0,
});
const numbers = (orders: readonly AcceptedOrder[]) => orders.map(({ orderNo }) => Number(orderNo));

describe('what a process remembers of its 202s', () => {
  beforeEach(() => forgetExpired(Number.POSITIVE_INFINITY));

  it('[E2] is handed out once, when a loading comes that may not hold it', () => {
    rememberAccepted('a', 1, [order(1), order(2)]);
    rememberAccepted('a', 2, [order(3)]);
    rememberAccepted('b', 1, [order(4)]);
    expect([hasOlder('a', 1), hasOlder('a', 2), hasOlder('c', 9)]).toEqual([false, true, false]);
    expect(numbers(takeOlder('a', 2))).toEqual([1, 2]);
    expect(hasOlder('a', 2)).toBe(false);
    expect(numbers(takeOlder('a', 3))).toEqual([3]);
    expect(rememberedSales()).toEqual(['b']);
  });

  it('[E2] also when a late answer of the old loading comes after one of the new', () => {
    rememberAccepted('a', 2, [order(1)]);
    rememberAccepted('a', 1, [order(2)]);
    expect(hasOlder('a', 2)).toBe(true);
    expect(numbers(takeOlder('a', 2))).toEqual([2]);
  });

  it('[E2 F2] holds one that is answered again, however often, in one place', () => {
    for (let n = 0; n < 50; n += 1) rememberRepeated('a', 1, order(n % 2));
    rememberRepeated('a', 2, order(1));
    expect(numbers(takeOlder('a', 2))).toEqual([0, 1]);
    expect(numbers(takeOlder('a', 3))).toEqual([1]);
  });

  it('[E2] is forgotten after five minutes', () => {
    rememberAccepted('a', 1, [order(1)]);
    forgetExpired(performance.now() + 299_000);
    expect(rememberedSales()).toEqual(['a']);
    forgetExpired(performance.now() + 301_000);
    expect(rememberedSales()).toEqual([]);
  });

  it('[E2] is at most 100,000 orders: the older half goes', () => {
    for (let n = 1; n <= 100_001; n += 1) rememberAccepted('a', 1, [order(n)]);
    const kept = numbers(takeOlder('a', 2));
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([50_000, 50_002, 100_001]);
    for (let n = 1; n <= 100_000; n += 1) rememberAccepted('b', 1, [order(n)]);
    expect(takeOlder('b', 2)).toHaveLength(100_000);
  });

  it('[E1] is found by its number, whenever it was added', () => {
    rememberAccepted('a', 1, [order(1)]);
    expect(recallAccepted('a', '1')).toEqual(order(1));
    rememberAccepted('a', 1, [order(2), order(2), order(3)]);
    rememberAccepted('a', 2, [order(4)]);
    expect(['2', '3', '4', '5'].map((orderNo) => recallAccepted('a', orderNo)?.orderNo)).toEqual([
      '2',
      '3',
      '4',
      undefined,
    ]);
    expect(recallAccepted('b', '1')).toBeUndefined();
    takeOlder('a', 2);
    expect(['3', '4'].map((orderNo) => recallAccepted('a', orderNo)?.orderNo)).toEqual([undefined, '4']);
  });
});
