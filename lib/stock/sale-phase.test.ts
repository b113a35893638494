import { describe, expect, it } from 'vitest';
import { salePhase } from './sale-phase';

const stock = {
  startsAt: 1_000,
  endsAt: 2_000,
  serverTime: 1_500,
  paused: false,
  closed: false,
  total: 5,
  available: 1,
};

describe('salePhase', () => {
  it('[A3 A4] is scheduled until the very start and ended from the very end', () => {
    expect(salePhase({ ...stock, serverTime: 999 })).toBe('scheduled');
    expect(salePhase({ ...stock, serverTime: 1_000 })).toBe('live');
    expect(salePhase({ ...stock, serverTime: 1_999 })).toBe('live');
    expect(salePhase({ ...stock, serverTime: 2_000 })).toBe('ended');
  });

  it('[C1] puts the end before the start, the start before a pause, a pause before the stock', () => {
    expect(salePhase({ ...stock, serverTime: 500, closed: true, paused: true })).toBe('ended');
    expect(salePhase({ ...stock, serverTime: 500, paused: true, available: 0 })).toBe('scheduled');
    expect(salePhase({ ...stock, paused: true, available: 0 })).toBe('paused');
    expect(salePhase({ ...stock, available: 0 })).toBe('sold_out');
  });

  it('[C1] unlimited stock is never sold out', () => {
    expect(salePhase({ ...stock, total: -1, available: -1 })).toBe('live');
  });
});
