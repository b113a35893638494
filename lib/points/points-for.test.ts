import { describe, expect, it } from 'vitest';
import { pointsFor } from './points-for';

describe('pointsFor', () => {
  it.each([
    [4290, 'EUR', 42],
    [99, 'EUR', 0],
    [100, 'CNY', 1],
    [4290, 'JPY', 4290],
    [4290, 'KWD', 4],
    [4290, 'HUF', 42],
    [0, 'EUR', 0],
  ])('[I3] %i minor units of %s are %i points', (amountMinor, currency, points) => {
    expect(pointsFor(amountMinor, currency)).toBe(points);
  });
});
