import { describe, expect, it } from 'vitest';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { newerState } from './newer-state';

const at = (serverTime: number, status: SaleState['status'] = 'live'): SaleState => ({
  saleId: 'sale_1',
  status,
  serverTime,
  startsAt: 1_000_000,
  endsAt: 2_000_000,
  entryOpensAt: 0,
  stock: { total: 1, available: 1 },
  paused: false,
  gate: null,
  soldOutAt: null,
});

describe('newerState', () => {
  it('[A3 A4] an answer that was overtaken changes nothing', () => {
    const known = at(1_000_100);
    expect(newerState(undefined, known)).toBe(known);
    expect(newerState(known, at(999_900, 'scheduled'))).toBe(known);
    const next = at(1_000_100, 'paused');
    expect(newerState(known, next)).toBe(next);
  });

  it('[A3] a server whose clock was set back is believed', () => {
    const back = at(900_000);
    expect(newerState(at(1_000_100), back)).toBe(back);
  });
});
