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

it('[E2] while a batch is not written, the next one grows; for a second at most', () => {
  const pace = createPace();
  pace.hold('a', 0, '11');
  pace.hold('b', 0, '12');
  expect(pace.takeAwaited(50)).toEqual([]);
  expect(pace.split(['a', 'b', 'c'], 150)).toEqual({ ready: ['c'], waitMs: 50 });
  expect(pace.takeAwaited(150)).toEqual(['11', '12']);
  expect(pace.takeAwaited(160)).toEqual([]);
  pace.release(new Set(['11']));
  expect(pace.split(['a', 'b', 'c'], 170).ready).toEqual(['a', 'c']);
  expect(pace.takeAwaited(250)).toEqual(['12']);
  expect(pace.split(['a', 'b'], 980)).toEqual({ ready: ['a'], waitMs: 20 });
  expect(pace.split(['a', 'b'], 1_000).ready).toEqual(['a', 'b']);
});

it('[E2] a batch that is written soon does not shorten the shortest wait', () => {
  const pace = createPace();
  pace.hold('a', 0, '11');
  pace.release(new Set(['11']));
  expect(pace.split(['a'], 90)).toEqual({ ready: [], waitMs: 10 });
  expect(pace.split(['a'], 100).ready).toEqual(['a']);
});
