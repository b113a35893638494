import { expect, it } from 'vitest';
import { dueTimers, ringFor } from './due-timers';

it('[C7] orders that are due within half a second share a timer, which never rings too early', () => {
  const rings = [1_000, 1_001, 1_250, 1_500].map((deadlineAt) => ringFor('sale_1', deadlineAt));
  expect(rings.map(({ at }) => at)).toEqual([1_000, 1_500, 1_500, 1_500]);
  const timers = dueTimers([...rings, ringFor('sale_2', 1_499)]);
  expect(timers.map(({ ts, data }) => ({ ts, data }))).toEqual([
    { ts: 1_200, data: { saleIds: ['sale_1'] } },
    { ts: 1_700, data: { saleIds: ['sale_1', 'sale_2'] } },
  ]);
});

it('[C7] the same rings make the same timer, others make another', () => {
  const idOf = (...sales: string[]) => dueTimers(sales.map((saleId) => ringFor(saleId, 1_000)))[0]?.id;
  expect(idOf('a', 'b')).toBe(idOf('b', 'a', 'b'));
  expect(new Set([idOf('a'), idOf('b'), idOf('a', 'b'), dueTimers([ringFor('a', 2_000)])[0]?.id]).size).toBe(
    4,
  );
});
