import { afterAll, describe, expect, it } from 'vitest';
import { closeRedis } from '@/lib/redis/client';
import { bestOf } from '@/test/support/best-of';
import { eventually } from '@/test/support/eventually';
import { countAttempt, flushAttempts, readAttempts } from './attempts';

const none = { accepted: 0, replayed: 0, soldOut: 0, rateLimited: 0, rejected: 0 };

afterAll(closeRedis);

describe('attempts', () => {
  it('of very many sales are written early instead of piling up', async () => {
    let round = 0;
    const rejectedOf = async (i: number) => (await readAttempts(`sale_many_${round}_${i}`)).attempts;
    const writeMany = async () => {
      round += 1;
      const from = performance.now();
      for (let i = 0; i <= 1_000; i += 1) countAttempt(`sale_many_${round}_${i}`, 'rejected');
      await eventually(async () => expect(await rejectedOf(999)).toEqual({ ...none, rejected: 1 }));
      const tookMs = performance.now() - from;
      await flushAttempts();
      return tookMs;
    };
    expect(await bestOf(900, writeMany)).toBeLessThan(900);
    expect(await rejectedOf(1_000)).toEqual({ ...none, rejected: 1 });
  });
});
