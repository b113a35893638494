import { describe, expect, it } from 'vitest';
import { SHARD_COUNT, shardOf } from './shard-of';

describe('shardOf', () => {
  it('[E8 K2] gives these users these shards for ever: rows are stored by them', () => {
    // Values from an independent implementation.
    const golden = {
      '': 11,
      a: 435,
      ada: 526,
      user_1: 358,
      user_2: 972,
      用户: 976,
      user_01kaz3m9t4q8v7x2w5y6z1b0cd: 993,
    };
    const shards = Object.fromEntries(Object.keys(golden).map((userId) => [userId, shardOf(userId)]));
    expect(shards).toEqual(golden);
  });

  it.each([
    ['counted', (i: number) => `user_${i}`],
    ['padded', (i: number) => `user_${String(i).padStart(12, '0')}`],
    ['with the counter in front', (i: number) => `${i}@example.com`],
  ])('[E8 K2] spreads ids evenly: %s', (_, id) => {
    const counts = new Array<number>(SHARD_COUNT).fill(0);
    const users = 102_400;
    for (let i = 0; i < users; i += 1) {
      const shard = shardOf(id(i));
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    const expected = users / SHARD_COUNT;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 1,023 degrees of freedom: mean 1,023, standard deviation 45. Plain FNV-1a modulo 1024 is far off for some.
    expect(chiSquare).toBeLessThan(1_023 + 5 * 45);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });
});
