import { afterAll, describe, expect, it } from 'vitest';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { LIMIT_ALGORITHMS } from '@/lib/redis/limit-policy';
import { countCalls } from './count-calls';
import { limitCall } from './limit-call';

afterAll(closeRedis);

describe.each(LIMIT_ALGORITHMS)('%s', (algorithm) => {
  const policy = { algorithm, limit: 40, windowSec: 86_400 };
  const keyOf = (subject: string) => keys.limit(`sale_${algorithm}`, 'entry', 'user', subject);

  it('[G7] lets exactly `limit` of 300 calls at once through, in script calls of any size', async () => {
    const sizes = [1, 7, 64, 100, 99];
    const waits = await Promise.all(sizes.map((size) => countCalls(policy, Array(size).fill(keyOf('ada')))));
    expect(waits.map((each) => each.length)).toEqual(sizes);
    expect(waits.flat().filter((waitMs) => waitMs === 0)).toHaveLength(40);
  });

  it('[G7] counts each key for itself, and what it keeps goes by itself', async () => {
    const saleId = `sale_${algorithm}`;
    const names = Array.from({ length: 100 }, (_, n) => (n < 50 ? 'ben' : `other_${n}`));
    const waits = await Promise.all(names.map((name) => limitCall(saleId, policy, keyOf(name))));
    expect(waits.slice(0, 50).filter((waitMs) => waitMs === 0)).toHaveLength(40);
    expect(waits.slice(50)).toEqual(Array(50).fill(0));
    const leftMs = await cacheRedis().pttl(keyOf('ben'));
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(2 * 86_400_000);
  });
});
