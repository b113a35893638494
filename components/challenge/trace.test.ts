import { describe, expect, it } from 'vitest';
import { keyTarget, type TracePoint, thin } from './trace';

describe('[G5] the slider', () => {
  it('sends at most a hundred points of a movement, the first and the last among them', () => {
    const points = Array.from({ length: 777 }, (_, at): TracePoint => [at * 5, at % 250]);
    const thinned = thin(points);
    expect(thinned).toHaveLength(100);
    expect([thinned[0], thinned.at(-1)]).toEqual([points[0], points.at(-1)]);
    expect(thinned.every(([t], at) => at === 0 || t > (thinned[at - 1]?.[0] ?? 0))).toBe(true);
    expect(thin(points.slice(0, 100))).toEqual(points.slice(0, 100));
    expect(thin([])).toEqual([]);
  });

  it.each([
    ['ArrowRight', 52],
    ['ArrowUp', 52],
    ['ArrowLeft', 48],
    ['ArrowDown', 48],
    ['PageUp', 76],
    ['PageDown', 24],
    ['Home', 0],
    ['End', 256],
    ['Tab', null],
    ['a', null],
  ])('is moved by %s from 50 to %s', (key, target) => {
    expect(keyTarget(key, 50, 256, 2)).toBe(target);
  });
});
