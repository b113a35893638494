import { afterAll, describe, expect, it } from 'vitest';
import { LIMIT_ALGORITHMS } from '@/lib/contract/words/limit';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { countAttempts } from './count-attempts';
import { limitAttempt } from './limit-attempt';

afterAll(closeRedis);

describe.each(LIMIT_ALGORITHMS)('%s', (algorithm) => {
  const saleId = `sale_${algorithm}`;
  const limits = { user: { algorithm, limit: 40, windowSec: 86_400 } };
  const keyOf = (subject: string) => keys.limit(saleId, 'entry', 'user', subject);

  it('[G7] lets exactly `limit` of 300 calls at once through, in script calls of any size', async () => {
    const sizes = [1, 7, 64, 100, 99];
    const attempts = (size: number) => Array.from({ length: size }, () => ({ user: keyOf('ada') }));
    const answers = await Promise.all(sizes.map((size) => countAttempts(limits, attempts(size))));
    expect(answers.map((each) => each.length)).toEqual(sizes);
    expect(answers.flat().filter((limited) => limited === null)).toHaveLength(40);
  });

  it('[G7] counts each key for itself, and what it keeps goes by itself', async () => {
    const names = Array.from({ length: 100 }, (_, n) => (n < 50 ? 'ben' : `other_${n}`));
    const answers = await Promise.all(
      names.map((name) => limitAttempt(saleId, limits, { user: keyOf(name) })),
    );
    expect(answers.slice(0, 50).filter((limited) => limited === null)).toHaveLength(40);
    expect(answers.slice(50)).toEqual(Array(50).fill(null));
    const leftMs = await cacheRedis().pttl(keyOf('ben'));
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(2 * 86_400_000);
  });
});
