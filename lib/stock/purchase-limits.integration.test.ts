import { afterAll, describe, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { LIMIT_ALGORITHMS, type LimitPolicy } from '@/lib/redis/limit-policy';
import { configureStock } from './configure-stock';
import { type PurchaseResult, purchaseStock } from './purchase-stock';
import { purchaseUnderLock } from './purchase-under-lock';
import { HOUR_MS, openSale, purchaseOf } from './testing/open-sale';

/** So long that nothing comes back during a test. */
const DAY_SEC = 86_400;
const policy = (limit: number, overrides: Partial<LimitPolicy> = {}): LimitPolicy => ({
  algorithm: 'fixed-window',
  limit,
  windowSec: DAY_SEC,
  ...overrides,
});

afterAll(closeRedis);

const buy = (saleId: string, userId: string, overrides = {}) =>
  purchaseStock(purchaseOf(saleId, userId, overrides));

/** That many purchases at the same moment, each by a token of its own. */
const buyAtOnce = (saleId: string, users: readonly string[]) =>
  Promise.all(users.map((userId) => buy(saleId, userId)));

const count = (results: readonly PurchaseResult[], status: PurchaseResult['status']) =>
  results.filter((result) => result.status === status).length;

const counted = (saleId: string) => stockRedis().hgetall(keys.limits(saleId));

describe.each(LIMIT_ALGORITHMS)('%s', (algorithm) => {
  it('[G1 G7] lets exactly `limit` of a user’s 100 purchases at once through, whatever they are answered', async () => {
    const saleId = await openSale({ limits: { user: policy(3, { algorithm }) } });
    const results = await buyAtOnce(saleId, Array(100).fill('ada'));
    expect([count(results, 'accepted'), count(results, 'already_bought')]).toEqual([1, 2]);
    const refused = results.filter((result) => result.status === 'rate_limited');
    expect(refused).toHaveLength(97);
    for (const { scope, limit, windowMs, waitMs } of refused) {
      expect({ scope, limit, windowMs }).toEqual({ scope: 'user', limit: 3, windowMs: DAY_SEC * 1000 });
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(DAY_SEC * 1000);
    }
    expect(await buy(saleId, 'ben')).toMatchObject({ status: 'accepted' });
  });

  it('[G3 G7] lets exactly `limit` purchases of all users through', async () => {
    const saleId = await openSale({ total: 1_000, limits: { interface: policy(40, { algorithm }) } });
    const results = await buyAtOnce(
      saleId,
      Array.from({ length: 100 }, (_, at) => `user_${at}`),
    );
    expect([count(results, 'accepted'), count(results, 'rate_limited')]).toEqual([40, 60]);
    expect(results.find(({ status }) => status === 'rate_limited')).toMatchObject({
      scope: 'interface',
      limit: 40,
    });
  });
});

describe('what is counted', () => {
  it('[G1 F2] never a replay', async () => {
    const saleId = await openSale({ limits: { user: policy(1) } });
    const first = purchaseOf(saleId, 'ada');
    expect(await purchaseStock(first)).toMatchObject({ status: 'accepted' });
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'rate_limited' });
    for (let n = 0; n < 5; n += 1) expect(await purchaseStock(first)).toMatchObject({ status: 'replayed' });
  });

  it('[G1] purchases that were refused for another reason, but none that met the limit', async () => {
    const saleId = await openSale({ total: 1, limits: { user: policy(2) } });
    await buy(saleId, 'ada');
    expect(await buy(saleId, 'ben')).toMatchObject({ status: 'sold_out' });
    expect(await buy(saleId, 'ben')).toMatchObject({ status: 'sold_out' });
    const before = await counted(saleId);
    expect(await buy(saleId, 'ben')).toMatchObject({ status: 'rate_limited' });
    expect(await counted(saleId)).toEqual(before);
  });

  it('[G1] nothing before the start, in a pause, by the wrong way or after the end', async () => {
    const limits = { user: policy(1), interface: policy(1) };
    const early = await openSale({
      startsAt: Date.now() + HOUR_MS,
      endsAt: Date.now() + 2 * HOUR_MS,
      limits,
    });
    const paused = await openSale({ paused: true, limits });
    const open = await openSale({ limits });
    await buy(early, 'ada');
    await buy(paused, 'ada');
    await buy(open, 'ada', { gate: 'wrong' });
    for (const saleId of [early, paused, open]) expect(await counted(saleId)).toEqual({});
  });

  it('[G3] not a user’s purchase that met the limit of the interface', async () => {
    const saleId = await openSale({ limit: 5, limits: { user: policy(2), interface: policy(3) } });
    await buyAtOnce(saleId, ['ada', 'ben', 'cyd']);
    for (let n = 0; n < 4; n += 1) expect(await buy(saleId, 'ada')).toMatchObject({ scope: 'interface' });
    await configureStock({ saleId, epoch: 1, limits: { user: policy(2), interface: policy(100) } });
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'accepted' });
    expect(await buy(saleId, 'ada')).toMatchObject({ scope: 'user' });
  });

  it('[G3] several in one call as if each had come alone', async () => {
    const saleId = await openSale({ limit: 5, limits: { user: policy(2), interface: policy(3) } });
    const results = await buyAtOnce(saleId, ['ada', 'ada', 'ada', 'ben', 'ben', 'cyd']);
    expect(
      results.map((result) => (result.status === 'rate_limited' ? result.scope : result.status)),
    ).toEqual(['accepted', 'accepted', 'user', 'accepted', 'interface', 'interface']);
  });

  it('[G1] for as long as the sale lasts, then it is gone', async () => {
    const saleId = await openSale({ limits: { user: policy(2) } });
    await buy(saleId, 'ada');
    const leftMs = await stockRedis().pttl(keys.limits(saleId));
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(HOUR_MS);
  });

  it('[G1] nothing at all without limits', async () => {
    const saleId = await openSale();
    await buy(saleId, 'ada');
    expect(await counted(saleId)).toEqual({});
  });
});

describe('changed while the sale runs', () => {
  it('[G1 G3] the next purchase sees it; what was counted stays', async () => {
    const saleId = await openSale();
    const limitTo = (limit: number | null) =>
      configureStock({ saleId, epoch: 1, limits: limit === null ? null : { user: policy(limit) } });
    await buy(saleId, 'ada');
    await limitTo(2);
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'already_bought' });
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'already_bought' });
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'rate_limited', limit: 2 });
    await limitTo(3);
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'already_bought' });
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'rate_limited', limit: 3 });
    await limitTo(null);
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'already_bought' });
  });

  it('[G7] another algorithm begins anew', async () => {
    const saleId = await openSale({ limits: { user: policy(1) } });
    await buy(saleId, 'ada');
    for (const algorithm of LIMIT_ALGORITHMS.slice(1)) {
      expect(await buy(saleId, 'ada')).toMatchObject({ status: 'rate_limited' });
      await configureStock({ saleId, epoch: 1, limits: { user: policy(1, { algorithm }) } });
      expect(await buy(saleId, 'ada')).toMatchObject({ status: 'already_bought' });
    }
  });
});

describe('a sale for those who reserved', () => {
  it.each([
    ['script', purchaseStock],
    ['lock', purchaseUnderLock],
  ])('[H2 C1] answers not_reserved before anything else about the user, by %s', async (_, decide) => {
    const buy = (saleId: string, userId: string) => decide(purchaseOf(saleId, userId));
    const saleId = await openSale({ total: 1, requiresReservation: true });
    await stockRedis().sadd(keys.reserved(saleId), 'ada');
    expect(await buy(saleId, 'ben')).toEqual({ status: 'not_reserved' });
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'accepted' });
    expect(await buy(saleId, 'ben')).toEqual({ status: 'not_reserved' });
    await stockRedis().sadd(keys.reserved(saleId), 'ben');
    expect(await buy(saleId, 'ben')).toMatchObject({ status: 'sold_out' });
  });

  it('[H2] may become one for everybody', async () => {
    const saleId = await openSale({ requiresReservation: true });
    await configureStock({ saleId, epoch: 1, requiresReservation: false });
    expect(await buy(saleId, 'ben')).toMatchObject({ status: 'accepted' });
  });
});
