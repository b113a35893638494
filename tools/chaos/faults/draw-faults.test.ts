import { describe, expect, it } from 'vitest';
import { createRandom } from '@/tools/harness/random';
import { planShopper } from '../load/plan-shopper';
import { drawKind, ROUND_KINDS } from '../round-kinds';
import { drawFaults } from './draw-faults';
import { drawOpening } from './draw-opening';
import { FAULT_NAMES, faultOf } from './kinds';

const LOAD_MS = 12_000;
const draw = (seed: number) =>
  drawFaults(createRandom(seed), { names: FAULT_NAMES, count: 6, loadMs: LOAD_MS });

describe('a round', () => {
  it('[J4] is the same at every run with its seed, and another with another', () => {
    const shoppers = (seed: number) =>
      [1, 2, 3].map((number) => planShopper(createRandom(seed).fork(`shopper ${number}`), number, LOAD_MS));
    for (let seed = 1; seed <= 50; seed += 1) {
      expect(draw(seed)).toEqual(draw(seed));
      expect(shoppers(seed)).toEqual(shoppers(seed));
      expect(draw(seed)).not.toEqual(draw(seed + 1));
    }
  });

  it('[J4] never has two faults at once with the same target, and each of them comes sooner or later', () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 100; seed += 1) {
      const plan = draw(seed);
      plan.forEach(({ name, atMs }, at) => {
        expect(atMs).toBeLessThanOrEqual(LOAD_MS);
        for (const other of plan.slice(0, at)) {
          const isSame = faultOf(name).target === faultOf(other.name).target;
          const isWide = [name, other.name].includes('kill-everything');
          if (isSame || isWide) expect(atMs).toBeGreaterThan(other.atMs + other.lastsMs);
        }
        seen.add(name);
      });
    }
    expect([...seen].sort()).toEqual([...FAULT_NAMES].sort());
  });

  it('[B2 J4] may begin with a fault while the sale is published and one around its start, which nothing keeps away', () => {
    const openings = Array.from({ length: 100 }, (_, seed) => drawOpening(createRandom(seed), FAULT_NAMES));
    const early = openings.filter(({ opensAtMs }) => opensAtMs !== null);
    expect(early.length).toBeGreaterThan(25);
    expect(early.length).toBeLessThan(75);
    early.forEach(({ opensAtMs, faults }, seed) => {
      const [warmUp, start] = faults;
      expect(warmUp?.atMs).toBeLessThanOrEqual(250);
      expect(Math.abs((start?.atMs ?? 0) - (opensAtMs ?? 0))).toBeLessThanOrEqual(200);
      const options = { names: FAULT_NAMES, count: 6, loadMs: LOAD_MS, fixed: faults };
      expect(drawFaults(createRandom(seed), options)).toEqual(expect.arrayContaining(faults));
    });
    expect(drawOpening(createRandom(1), ['freeze-redis'])).toEqual({ opensAtMs: null, faults: [] });
  });

  it('[J4 M1] always has time before the start where people join a line, and no fault keeps the sale from being published', () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const { opensAtMs, faults } = drawOpening(createRandom(seed), FAULT_NAMES, true);
      expect(opensAtMs).toBeGreaterThan(2_000);
      for (const { atMs } of faults) expect(Math.abs(atMs - (opensAtMs ?? 0))).toBeLessThanOrEqual(200);
    }
  });

  it('[J4] has a kind that its seed says, of those that were asked for, and each of them comes sooner or later', () => {
    const kinds = Array.from({ length: 100 }, (_, seed) => drawKind(createRandom(seed), ROUND_KINDS));
    expect([...new Set(kinds)].sort()).toEqual([...ROUND_KINDS].sort());
    expect(drawKind(createRandom(1), ['draw'])).toBe('draw');
  });
});
