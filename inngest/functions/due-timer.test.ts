import { expect, it } from 'vitest';
import { dueTimer } from './due-timer';

it('[C7] orders of a sale that are due within half a second share a timer, which never rings too early', () => {
  const timers = [1_000, 1_001, 1_250, 1_500].map((deadlineAt) => dueTimer('sale_1', deadlineAt));
  expect(timers.map(({ id }) => id)).toEqual([
    'orders/due:sale_1:1000',
    'orders/due:sale_1:1500',
    'orders/due:sale_1:1500',
    'orders/due:sale_1:1500',
  ]);
  expect(timers.map(({ event }) => event.ts)).toEqual([1_200, 1_700, 1_700, 1_700]);
  expect(dueTimer('sale_2', 1_250).id).not.toBe(timers[2]?.id);
});
