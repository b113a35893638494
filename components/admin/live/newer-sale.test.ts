import { expect, it } from 'vitest';
import { newerSale } from './newer-sale';

const look = (saleId: string, version: number, paused: boolean) => ({ saleId, version, paused });

it('[L3 J5] a sample from before a change does not take the change back', () => {
  const resumed = look('sale_a', 3, false);
  expect(newerSale(resumed, look('sale_a', 2, true))).toBe(resumed);
});

it('[L3 J5] the same version, a later one and another sale are taken as they come', () => {
  const shown = look('sale_a', 3, false);
  for (const came of [look('sale_a', 3, true), look('sale_a', 4, true), look('sale_b', 1, true)])
    expect(newerSale(shown, came)).toBe(came);
  const first = look('sale_a', 1, false);
  expect(newerSale(null, first)).toBe(first);
});
