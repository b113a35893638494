import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { countAttempt, flushAttempts, OUTCOMES, readAttempts } from './attempts';

afterAll(closeRedis);
afterEach(() => {
  vi.restoreAllMocks();
});

const none = { accepted: 0, replayed: 0, soldOut: 0, rateLimited: 0, rejected: 0 };

describe('attempts', () => {
  it('are counted by sale and outcome, and added up over flushes', async () => {
    for (const [i, outcome] of OUTCOMES.entries()) {
      for (let n = 0; n <= i; n += 1) countAttempt('sale_a', outcome);
    }
    countAttempt('sale_b', 'soldOut');
    await flushAttempts();
    countAttempt('sale_a', 'accepted');
    await flushAttempts();
    expect(await readAttempts('sale_a')).toEqual({
      accepted: 2,
      replayed: 2,
      soldOut: 3,
      rateLimited: 4,
      rejected: 5,
    });
    expect(await readAttempts('sale_b')).toEqual({ ...none, soldOut: 1 });
    expect(await readAttempts('sale_none')).toEqual(none);
  });

  it('reach Redis by themselves within about a second', async () => {
    countAttempt('sale_c', 'accepted');
    await vi.waitFor(
      async () => expect(await readAttempts('sale_c')).toEqual({ ...none, accepted: 1 }),
      3_000,
    );
  });

  it('wait while Redis refuses to write, and are written once when it accepts again', async () => {
    // The wrong type under this key is what Redis answers an error for.
    await stockRedis().set(keys.attempts('sale_d'), 'in the way');
    countAttempt('sale_d', 'soldOut');
    await flushAttempts();
    countAttempt('sale_d', 'soldOut');
    await stockRedis().del(keys.attempts('sale_d'));
    await flushAttempts();
    expect(await readAttempts('sale_d')).toEqual({ ...none, soldOut: 2 });
  });

  it('of very many sales are written early instead of piling up', async () => {
    for (let i = 0; i <= 1_000; i += 1) countAttempt(`sale_many_${i}`, 'rejected');
    await vi.waitFor(
      async () => expect(await readAttempts('sale_many_999')).toEqual({ ...none, rejected: 1 }),
      900,
    );
    await flushAttempts();
    expect(await readAttempts('sale_many_1000')).toEqual({ ...none, rejected: 1 });
  });
});
