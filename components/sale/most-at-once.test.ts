import { expect, it } from 'vitest';
import { mostAtOnce } from './most-at-once';

const stockOf = (total: number, available: number) => ({ stock: { total, available } });
const campaign = { campaignId: 'c', slug: 'c', title: 'C', limitPerUser: 3 };

it('[O2] one press asks for no more than one person may buy, and no more than are left', () => {
  const sale = { limitPerUser: 5, campaign: null };
  expect(mostAtOnce(sale, null)).toBe(5);
  expect(mostAtOnce(sale, stockOf(10, 4))).toBe(4);
  expect(mostAtOnce(sale, stockOf(-1, 0))).toBe(5);
  expect(mostAtOnce({ ...sale, campaign }, stockOf(10, 10))).toBe(3);
  expect(mostAtOnce({ ...sale, campaign: { ...campaign, limitPerUser: null } }, null)).toBe(5);
});

it('[O2] one item can always be asked for: somebody may have given one back', () => {
  expect(mostAtOnce({ limitPerUser: 5, campaign: null }, stockOf(10, 0))).toBe(1);
});
