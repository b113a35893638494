import { expect, it } from 'vitest';
import { createPace } from './create-pace';

it('[E2] the first purchase of a sale leaves at once, the next ones wait for each other', () => {
  const pace = createPace();
  expect(pace.split(['a', 'b'], 0)).toEqual({ ready: ['a', 'b'], waitMs: Number.POSITIVE_INFINITY });
  pace.hold('a', 0);
  expect(pace.split(['a', 'b'], 10)).toEqual({ ready: ['b'], waitMs: 90 });
  expect(pace.split(['a', 'b'], 100)).toEqual({ ready: ['a', 'b'], waitMs: Number.POSITIVE_INFINITY });
});

it('[E2] many sales wait longer, but never longer than a quarter of a second', () => {
  const pace = createPace();
  const sales = Array.from({ length: 200 }, (_, n) => `sale_${n}`);
  for (const sale of sales) pace.hold(sale, 0);
  expect(pace.split(sales, 249).ready).not.toContain('sale_199');
  expect(pace.split(sales, 250).ready).toEqual(sales);
});
