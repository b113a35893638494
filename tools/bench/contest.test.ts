import { describe, expect, it } from 'vitest';
import { alternate, contest } from './contest';

describe('rounds', () => {
  it('[E10] alternate after one round each that does not count', async () => {
    const order: string[] = [];
    const contestant = (name: string) => async (round: number) => {
      order.push(`${name}${round}`);
      return round;
    };
    const samples = await alternate(3, { a: contestant('a'), b: contestant('b') });
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'b2', 'a2', 'a3', 'b3']);
    expect(samples).toEqual({ a: [1, 2, 3], b: [1, 2, 3] });
  });

  it.each([2, 0, 3.5])('[E10] are at least three, not %s', async (rounds) => {
    await expect(alternate(rounds, {})).rejects.toThrow(RangeError);
  });

  it('[E10] end in the ratio of each pair', async () => {
    const contestants = { mine: async (round: number) => 10 * round, bare: async () => 40 };
    const pair = { figure: 'mine : bare', ours: 'mine', theirs: 'bare', target: { atLeast: 0.5 } };
    const { rows, samples } = await contest({ rounds: 3 }, contestants, [pair]);
    expect(rows).toMatchObject([{ figure: 'mine : bare', result: '0.50', verdict: 'met' }]);
    expect(samples).toEqual({ mine: [10, 20, 30], bare: [40, 40, 40] });
  });
});
