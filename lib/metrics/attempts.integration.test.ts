import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ATTEMPT_OUTCOMES } from '@/lib/contract/words/live';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { bestOf } from '@/test/support/best-of';
import { startStopwatch } from '@/test/support/stopwatch';
import { countAttempt, flushAttempts, readAttempts } from './attempts';

afterAll(closeRedis);
afterEach(() => {
  vi.restoreAllMocks();
});

const none = { accepted: 0, replayed: 0, soldOut: 0, rateLimited: 0, rejected: 0 };

describe('attempts', () => {
  it('are counted by sale and outcome, and added up over flushes', async () => {
    for (const [i, outcome] of ATTEMPT_OUTCOMES.entries()) {
      for (let n = 0; n <= i; n += 1) countAttempt('sale_a', outcome);
    }
    countAttempt('sale_b', 'soldOut');
    await flushAttempts();
    countAttempt('sale_a', 'accepted');
    await flushAttempts();
    expect((await readAttempts('sale_a')).attempts).toEqual({
      accepted: 2,
      replayed: 2,
      soldOut: 3,
      rateLimited: 4,
      rejected: 5,
    });
    expect((await readAttempts('sale_b')).attempts).toEqual({ ...none, soldOut: 1 });
    expect((await readAttempts('sale_none')).attempts).toEqual(none);
  });

  it('[J5] are counted by the code of their refusal, each code as often as it was given', async () => {
    countAttempt('sale_codes', 'rejected', 'LIMIT_REACHED');
    countAttempt('sale_codes', 'soldOut', 'SOLD_OUT');
    await flushAttempts();
    countAttempt('sale_codes', 'rejected', 'LIMIT_REACHED');
    countAttempt('sale_codes', 'rejected', 'BLOCKED');
    countAttempt('sale_codes', 'accepted');
    await flushAttempts();
    expect(await readAttempts('sale_codes')).toEqual({
      attempts: { ...none, accepted: 1, soldOut: 1, rejected: 3 },
      refusals: { LIMIT_REACHED: 2, SOLD_OUT: 1, BLOCKED: 1 },
    });
  });

  it('reach Redis by themselves within about a second', async () => {
    countAttempt('sale_c', 'accepted');
    await vi.waitFor(
      async () => expect((await readAttempts('sale_c')).attempts).toEqual({ ...none, accepted: 1 }),
      30_000,
    );
  });

  it('wait while Redis refuses to write, and are written once when it accepts again', async () => {
    // Redis answers with an error, because this key has the wrong type.
    await cacheRedis().set(keys.attempts('sale_d'), 'in the way');
    countAttempt('sale_d', 'soldOut');
    await flushAttempts();
    countAttempt('sale_d', 'soldOut');
    await cacheRedis().del(keys.attempts('sale_d'));
    await flushAttempts();
    expect((await readAttempts('sale_d')).attempts).toEqual({ ...none, soldOut: 2 });
  });

  it('of very many sales are written early instead of piling up', async () => {
    let round = 0;
    const rejectedOf = async (i: number) => (await readAttempts(`sale_many_${round}_${i}`)).attempts;
    const writeMany = async () => {
      round += 1;
      const sinceCounted = startStopwatch();
      for (let i = 0; i <= 1_000; i += 1) countAttempt(`sale_many_${round}_${i}`, 'rejected');
      await vi.waitFor(async () => expect(await rejectedOf(999)).toEqual({ ...none, rejected: 1 }), 30_000);
      const tookMs = sinceCounted();
      await flushAttempts();
      return tookMs;
    };
    expect(await bestOf(900, writeMany)).toBeLessThan(900);
    expect(await rejectedOf(1_000)).toEqual({ ...none, rejected: 1 });
  });
});
