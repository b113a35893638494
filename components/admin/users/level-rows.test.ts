import { describe, expect, it } from 'vitest';
import { nextPoints, toRules, wrongRules } from './level-rows';

const point = (level: string, minPoints: string) => ({ level, minPoints });
const member = (productId: string, level = '1', days = '30') => ({ productId, level, days });
const wrong = (byPoints: ReturnType<typeof point>[], byMembership: ReturnType<typeof member>[] = []) =>
  wrongRules({ byPoints, byMembership });

describe('rules as they are typed', () => {
  it('[G16] are right in any order, and sent with the lowest level first', () => {
    const rows = { byPoints: [point('5', '300'), point(' 2 ', '100')], byMembership: [member('p')] };
    expect(wrongRules(rows)).toBeNull();
    expect(toRules(rows)).toEqual({
      byPoints: [
        { level: 2, minPoints: 100 },
        { level: 5, minPoints: 300 },
      ],
      byMembership: [{ productId: 'p', level: 1, days: 30 }],
    });
    expect(wrong([])).toBeNull();
  });

  it('[G16] are refused with the reason', () => {
    for (const row of [point('', '1'), point('1', 'x'), point('0', '1'), point('1', '0'), point('1001', '1')])
      expect(wrong([row]), JSON.stringify(row)).toBe('number');
    expect(wrong([], [member('p', '1', '1.5')])).toBe('number');
    expect(wrong([point('1', '5'), point('2', '5')])).toBe('order');
    expect(wrong([point('1', '5'), point('1', '6')])).toBe('order');
    expect(wrong([], [member('')])).toBe('product');
    expect(wrong([], [member('p'), member('p', '2')])).toBe('product');
  });

  it('[G16] begin with a rule that fits those before', () => {
    expect(nextPoints()).toEqual(point('1', '100'));
    expect(nextPoints(point('2', '300'))).toEqual(point('3', '600'));
    expect(nextPoints(point('x', ''))).toEqual(point('1', '100'));
  });
});
