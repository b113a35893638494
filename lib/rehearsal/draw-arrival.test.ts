import { describe, expect, it } from 'vitest';
import { createRandom } from '@/tools/harness/random';
import { drawArrival } from './draw-arrival';

const draw = (isScript: boolean, seed = 1) => {
  const random = createRandom(seed);
  return Array.from({ length: 20_000 }, () => drawArrival(isScript, random.next)).sort((a, b) => a - b);
};
const shareWithin = (arrivals: readonly number[], ms: number) =>
  arrivals.filter((at) => at <= ms).length / arrivals.length;

describe('drawArrival', () => {
  it('[J5] has people press as fast as people can, most of them within a second, the last after five', () => {
    const people = draw(false);
    expect(shareWithin(people, 80)).toBeLessThan(0.005);
    expect(shareWithin(people, 250)).toBeCloseTo(0.35, 1);
    expect(shareWithin(people, 1_000)).toBeGreaterThan(0.7);
    expect(shareWithin(people, 1_000)).toBeLessThan(0.85);
    expect(people.at(-1)).toBe(5_000);
    expect(shareWithin(people, 4_999)).toBeGreaterThan(0.99);
  });

  it('[J5] has scripts press at once', () => {
    const scripts = draw(true);
    expect([scripts[0], scripts.at(-1)]).toEqual([0, 19]);
  });

  it('[J5] draws the same from the same choices', () => {
    expect(draw(false, 7)).toEqual(draw(false, 7));
    expect(draw(false, 7)).not.toEqual(draw(false, 8));
  });
});
