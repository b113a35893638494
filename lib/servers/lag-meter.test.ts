import { expect, it } from 'vitest';
import { createLagMeter } from './lag-meter';

it('[K4] a replica that has all is not behind; one that lacks some is as old as the last state it has', () => {
  const meter = createLagMeter();
  expect(meter.lagOf(0, 0)).toBeNull();
  meter.note(1_000, 10_000);
  meter.note(2_000, 15_000);
  expect(meter.lagOf(2_000, 15_000)).toBe(0);
  expect(meter.lagOf(2_500, 15_001)).toBe(0);
  expect(meter.lagOf(1_990, 15_000)).toBeCloseTo(50);
  expect(meter.lagOf(1_500, 15_000)).toBe(2_500);
  expect(meter.lagOf(1_000, 15_000)).toBe(5_000);
  // Further behind than anybody remembers: at least so much.
  expect(meter.lagOf(10, 15_000)).toBe(5_000);
});

it('[K4] nobody wrote for a while: a replica that has all is not behind for that; and one that stands grows older', () => {
  const meter = createLagMeter();
  for (const at of [0, 5_000, 10_000]) meter.note(700, at);
  expect(meter.lagOf(700, 10_000)).toBe(0);
  meter.note(800, 15_000);
  expect(meter.lagOf(700, 15_000)).toBe(5_000);
  expect(meter.lagOf(700, 60_000)).toBe(50_000);
});

it('[K1] a promoted primary begins a log of its own, and old places are forgotten', () => {
  const meter = createLagMeter();
  meter.note(9_000, 0);
  meter.note(100, 5_000);
  expect(meter.lagOf(100, 5_000)).toBe(0);
  for (let n = 1; n <= 500; n += 1) meter.note(100 + n, 5_000 + n * 1_000);
  expect(meter.lagOf(100, 505_000)).toBeLessThanOrEqual(120_000);
});
