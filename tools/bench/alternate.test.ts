import { describe, expect, it } from 'vitest';
import { alternate } from './alternate';

describe('rounds', () => {
  it('[E10] alternate after one round each that does not count', async () => {
    const order: string[] = [];
    const contestant = (name: string) => ({
      name,
      run: async (round: number) => {
        order.push(`${name}${round}`);
        return round;
      },
    });
    const samples = await alternate(3, [contestant('a'), contestant('b')]);
    expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'b2', 'a2', 'a3', 'b3']);
    expect(samples).toEqual({ a: [1, 2, 3], b: [1, 2, 3] });
  });

  it.each([2, 0, 3.5])('[E10] are at least three, not %s', async (rounds) => {
    await expect(alternate(rounds, [])).rejects.toThrow(RangeError);
  });
});
