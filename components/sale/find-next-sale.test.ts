import { expect, it } from 'vitest';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { findNextSale } from './find-next-sale';

const sale = (saleId: string, startsAt: number) => ({ saleId, startsAt });
const sales = [
  sale('live', 50),
  sale('later', 300),
  sale('soon', 200),
  sale('closed', 150),
  sale('past', 90),
];
const live = new Map<string, Pick<LiveSale, 'status'>>([
  ['live', { status: 'live' }],
  ['later', { status: 'scheduled' }],
  ['soon', { status: 'scheduled' }],
  ['closed', { status: 'ended' }],
]);

it('[O11] finds the first sale that is still to start, and none that was closed before', () => {
  expect(findNextSale(sales, live, 100)?.saleId).toBe('soon');
  expect(findNextSale(sales, live, 250)?.saleId).toBe('later');
  expect(findNextSale(sales, live, 300)).toBeNull();
});

it('[O11] goes by the plan where nobody knows the state', () => {
  expect(findNextSale(sales, new Map(), 100)?.saleId).toBe('closed');
  expect(findNextSale([], new Map(), 100)).toBeNull();
});

it('[O11] does not lead with what is weeks away while something else runs', () => {
  const weeks = [sale('live', 50), sale('far', 30 * 86_400_000)];
  expect(findNextSale(weeks, live, 100)).toBeNull();
  expect(findNextSale(weeks, new Map(), 100)?.saleId).toBe('far');
});
