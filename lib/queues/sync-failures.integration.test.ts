import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { clearFailures, postFailures } from '@/lib/cache/failure-board';
import { readSyncFailures } from '@/lib/cache/sync-failures';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { eventually } from '@/test/support/eventually';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { listSyncFailures } from './list-sync-failures';

beforeEach(async () => {
  await db().syncFailure.deleteMany();
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const FIRST_PAGE = { limit: 20 };

describe('changes the cache could not be told', () => {
  it('[B6] show in the admin area of who they concern, with what, since when, how often and when next; then no more', async () => {
    const { sale, merchant } = await makeSale();
    const [admin, stranger] = await Promise.all([makeUser('admin'), makeUser('merchant')]);
    const before = Date.now();
    const redis = stockRedis();
    redis.disconnect();
    await forgetSaleInfo(sale.saleId);

    const failure = await eventually(async () => {
      const [first] = (await listSyncFailures(admin, FIRST_PAGE)).failures;
      expect(first?.attempts).toBeGreaterThan(1);
      return first;
    });
    expect(failure).toMatchObject({ kind: 'cache', name: keys.saleInfo(sale.saleId) });
    expect(failure?.error).toContain('closed');
    expect(failure?.since).toBeGreaterThanOrEqual(before);
    expect(failure?.since).toBeLessThanOrEqual(Date.now());
    expect(failure?.nextTryAt).toBeGreaterThan(before);
    // Merchants see their own failures, without the names of machines.
    expect((await listSyncFailures(merchant, FIRST_PAGE)).failures).toMatchObject([
      { name: keys.saleInfo(sale.saleId), error: null },
    ]);
    expect((await listSyncFailures(stranger, FIRST_PAGE)).failures).toEqual([]);

    await redis.connect();
    await eventually(() => expect(readSyncFailures()).toEqual([]));
    await eventually(async () =>
      expect(await listSyncFailures(admin, FIRST_PAGE)).toEqual({ failures: [], nextCursor: null }),
    );
  });

  it('[B6] are listed by pages, without those whose old copy has expired', async () => {
    const admin = await makeUser('admin');
    const now = Date.now();
    const base = {
      kind: 'cache',
      subject: 'x',
      since: now,
      attempts: 1,
      nextTryAt: null,
      error: 'e',
    } as const;
    await postFailures(['a', 'b', 'c'].map((name) => ({ ...base, name, until: now + 60_000 })));
    await postFailures([{ ...base, name: 'expired', until: now - 1 }]);
    expect(await db().syncFailure.count()).toBe(4);
    const first = await listSyncFailures(admin, { limit: 2 });
    expect(first.failures.map(({ name }) => name)).toEqual(['a', 'b']);
    const second = await listSyncFailures(admin, { limit: 2, cursor: first.nextCursor ?? '' });
    expect(second.failures.map(({ name }) => name)).toEqual(['c']);
    expect(second.nextCursor).toBeNull();

    // A later report of the same failure: `since` stays, the rest is new.
    await postFailures([
      { ...base, name: 'a', since: now + 5_000, attempts: 7, error: 'f', until: now + 60_000 },
    ]);
    expect((await listSyncFailures(admin, { limit: 1 })).failures).toMatchObject([
      { name: 'a', since: now, attempts: 7, error: 'f' },
    ]);
    await clearFailures('cache', ['a', 'c']);
    expect((await listSyncFailures(admin, FIRST_PAGE)).failures.map(({ name }) => name)).toEqual(['b']);
    await postFailures([{ ...base, name: 'd', until: now + 60_000 }]);
    expect(await db().syncFailure.count({ where: { name: 'expired' } })).toBe(0);
  });

  it('[B6] in great numbers: the first hundred are shown, and nothing else suffers', async () => {
    const now = Date.now();
    const base = {
      kind: 'cache',
      subject: 'x',
      since: now,
      attempts: 1,
      nextTryAt: now,
      error: 'e'.repeat(9_999),
    } as const;
    await postFailures(
      Array.from({ length: 5_000 }, (_, n) => ({ ...base, name: String(n), until: now + 60_000 })),
    );
    expect(await db().syncFailure.count()).toBe(100);
  });
});
