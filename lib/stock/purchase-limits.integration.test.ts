import { afterAll, describe, expect, it } from 'vitest';
import type { LimitPolicy } from '@/lib/contract/shapes/limit';
import { LIMIT_ALGORITHMS } from '@/lib/contract/words/limit';
import { type Counts, countAttempt } from '@/lib/limit/count-attempt';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { LIMIT_SCOPES } from '@/lib/redis/limit-policy';
import { createRandom } from '@/tools/harness/random';
import { configureStock } from './configure-stock';
import { type PurchaseResult, purchaseStock } from './purchase-stock';
import { buyUnderLock } from './testing/buy-under-lock';
import { HOUR_MS, openSale, purchaseOf } from './testing/open-sale';

/** A window so long that no allowance comes back during a test. */
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

/** Makes this many purchases at the same moment, each with a token of its own. */
const buyAtOnce = (saleId: string, users: readonly string[]) =>
  Promise.all(users.map((userId) => buy(saleId, userId)));

const count = (results: readonly PurchaseResult[], status: PurchaseResult['status']) =>
  results.filter((result) => result.status === status).length;

const counted = (saleId: string) => stockRedis().hgetall(keys.limits(saleId));
const countedAt = (saleId: string, address: string) =>
  stockRedis().getBuffer(keys.limit(saleId, 'purchase', 'ip', address));

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

  it('[G2 G7] lets exactly `limit` purchases of each address through, those that come from nowhere as they are', async () => {
    const saleId = await openSale({ total: 1_000, limits: { ip: policy(20, { algorithm }) } });
    const from = async (address: string | undefined, times: number) =>
      Promise.all(
        Array.from({ length: times }, (_, at) =>
          buy(saleId, `${algorithm}_${address?.length}_${at}`, { address }),
        ),
      );
    const all = await Promise.all([
      from('192.0.2.1', 70),
      from('2001:db8:1:2::/64', 50),
      from(undefined, 60),
    ]);
    expect(all.map((results) => count(results, 'accepted'))).toEqual([20, 20, 60]);
    expect(all.map((results) => count(results, 'rate_limited'))).toEqual([50, 30, 0]);
    const windowMs = DAY_SEC * 1000;
    expect(all[0].at(-1)).toMatchObject({ status: 'rate_limited', scope: 'ip', limit: 20, windowMs });
  });

  it('[G15 G7] lets exactly `limit` purchases of each device through, those of no known device as they are', async () => {
    const saleId = await openSale({ total: 1_000, limits: { device: policy(20, { algorithm }) } });
    const by = (device: string | undefined, times: number) =>
      Promise.all(
        Array.from({ length: times }, (_, at) => buy(saleId, `${algorithm}_${device}_${at}`, { device })),
      );
    const all = await Promise.all([by('dev_a', 70), by('dev_b', 50), by(undefined, 60)]);
    expect(all.map((results) => count(results, 'accepted'))).toEqual([20, 20, 60]);
    expect(all.map((results) => count(results, 'rate_limited'))).toEqual([50, 30, 0]);
    expect(all[0].at(-1)).toMatchObject({ status: 'rate_limited', scope: 'device', limit: 20 });
  });
});

/** The waits differ so much that it is clear which is longer, whenever the calls came. */
const APART = {
  user: policy(2),
  interface: policy(30, { windowSec: 70_000 }),
  ip: policy(9, { windowSec: 80_000 }),
  device: policy(4, { windowSec: 60_000 }),
};

it.each(LIMIT_ALGORITHMS)(
  '[G1 G2 G3 G7 G15] the script and a process on its own let the same attempts through, several in one call, by %s',
  async (algorithm) => {
    const limits = {
      user: { ...APART.user, algorithm },
      interface: { ...APART.interface, algorithm },
      ip: { ...APART.ip, algorithm },
      device: { ...APART.device, algorithm },
    };
    const random = createRandom(7);
    for (let sales = 0; sales < 4; sales += 1) {
      const saleId = await openSale({ total: 1_000, limits });
      const counts: Counts = new Map();
      const attempts = Array.from({ length: 120 }, () => ({
        userId: `user_${random.int(1, 24)}`,
        address: random.pick(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', undefined]),
        device: random.pick(['dev_a', undefined, undefined, undefined]),
      }));
      const met = await Promise.all(attempts.map(({ userId, ...from }) => buy(saleId, userId, from)));
      const expected = attempts.map(({ userId, address, device }) => {
        const attempt = {
          user: userId,
          interface: 'all',
          ...(address && { ip: address }),
          ...(device && { device }),
        };
        return countAttempt(counts, limits, attempt, Date.now())?.scope ?? null;
      });
      expect(new Set(expected)).toEqual(new Set([null, ...LIMIT_SCOPES]));
      expect(met.map((result) => (result.status === 'rate_limited' ? result.scope : null))).toEqual(expected);
    }
  },
);

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

  it('[G2] at an address nothing of those who can’t buy anyway, nor what it had too many', async () => {
    const limits = { ip: policy(1) };
    const paused = await openSale({ paused: true, limits });
    const open = await openSale({ limits });
    const address = '192.0.2.1';
    await buy(paused, 'ada', { address });
    await buy(open, 'ada', { address, gate: 'wrong' });
    for (const saleId of [paused, open]) expect(await countedAt(saleId, address)).toBeNull();
    const first = purchaseOf(open, 'ada', { address });
    expect(await purchaseStock(first)).toMatchObject({ status: 'accepted' });
    const before = await countedAt(open, address);
    expect(await buy(open, 'ben', { address })).toMatchObject({ status: 'rate_limited', scope: 'ip' });
    expect(await purchaseStock(first)).toMatchObject({ status: 'replayed' });
    expect(await countedAt(open, address)).toEqual(before);
  });

  it('[G1 G2 G3] nothing at the address, nor of what all may, of somebody who is refused for himself', async () => {
    const limits = { ip: policy(3), user: policy(1), interface: policy(4) };
    const saleId = await openSale({ limits });
    const address = '192.0.2.1';
    expect(await buy(saleId, 'ada', { address })).toMatchObject({ status: 'accepted' });
    const before = [await counted(saleId), await countedAt(saleId, address)];
    for (let n = 0; n < 10; n += 1)
      expect(await buy(saleId, 'ada', { address })).toMatchObject({ scope: 'user' });
    expect([await counted(saleId), await countedAt(saleId, address)]).toEqual(before);
    for (const userId of ['ben', 'cyd'])
      expect(await buy(saleId, userId, { address })).toMatchObject({ status: 'accepted' });
    // Together they stay within the address's limit.
    expect(await buy(saleId, 'dan', { address })).toMatchObject({ scope: 'ip' });
    expect(await buy(saleId, 'dan', { address: '192.0.2.2' })).toMatchObject({ status: 'accepted' });
    expect(await buy(saleId, 'eve', { address: '192.0.2.3' })).toMatchObject({ scope: 'interface' });
    expect(await countedAt(saleId, '192.0.2.3')).toBeNull();
  });

  it('[G15] nothing of address, user and device, where another of them refuses', async () => {
    const limits = { user: policy(2), ip: policy(3), device: policy(2) };
    const saleId = await openSale({ total: 100, limit: 9, limits });
    const of = (address: string, device: string) =>
      Promise.all([
        countedAt(saleId, address),
        stockRedis().getBuffer(keys.limit(saleId, 'purchase', 'device', device)),
        stockRedis().hgetall(keys.limits(saleId)),
      ]);
    const home = { address: '192.0.2.1', device: 'dev_a' };
    expect(await buy(saleId, 'ada', home)).toMatchObject({ status: 'accepted' });
    expect(await buy(saleId, 'ben', home)).toMatchObject({ status: 'accepted' });
    // The device is spent: neither cyd nor the address pays for the refusal.
    let before = await of('192.0.2.1', 'dev_a');
    expect(await buy(saleId, 'cyd', home)).toMatchObject({ status: 'rate_limited', scope: 'device' });
    expect(await of('192.0.2.1', 'dev_a')).toEqual(before);
    expect(await buy(saleId, 'cyd', { ...home, device: 'dev_b' })).toMatchObject({ status: 'accepted' });
    // The address is spent, then the user: the device pays for neither.
    before = await of('192.0.2.1', 'dev_b');
    expect(await buy(saleId, 'dan', { ...home, device: 'dev_b' })).toMatchObject({ scope: 'ip' });
    expect(await of('192.0.2.1', 'dev_b')).toEqual(before);
    expect(await buy(saleId, 'ada', { address: '192.0.2.2', device: 'dev_c' })).toMatchObject({
      status: 'accepted',
    });
    before = await of('192.0.2.2', 'dev_c');
    expect(await buy(saleId, 'ada', { address: '192.0.2.2', device: 'dev_c' })).toMatchObject({
      scope: 'user',
    });
    expect(await of('192.0.2.2', 'dev_c')).toEqual(before);
  });

  it('[G1 G2] tells whoever is over two limits how long the slower of them takes', async () => {
    const limits = { user: policy(1, { windowSec: 60 }), ip: policy(1) };
    const saleId = await openSale({ limits });
    const address = '192.0.2.1';
    await buy(saleId, 'ada', { address });
    const slower = { status: 'rate_limited', scope: 'ip', limit: 1, windowMs: DAY_SEC * 1000 };
    expect(await buy(saleId, 'ada', { address })).toMatchObject(slower);
    await configureStock({ saleId, epoch: 1, limits: { user: policy(1), ip: policy(1, { windowSec: 60 }) } });
    expect(await buy(saleId, 'ada', { address })).toMatchObject({ ...slower, scope: 'user' });
  });

  it('[G2] an address for two of its windows', async () => {
    const saleId = await openSale({ limits: { ip: policy(1, { windowSec: 60 }) } });
    await buy(saleId, 'ada', { address: '192.0.2.1' });
    const leftMs = await stockRedis().pttl(keys.limit(saleId, 'purchase', 'ip', '192.0.2.1'));
    expect(leftMs).toBeGreaterThan(60_000);
    expect(leftMs).toBeLessThanOrEqual(120_000);
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

  it('[G1] what a version before has written of sale and counts is understood, or begins anew', async () => {
    const saleId = await openSale({ limits: { user: policy(1) } });
    await stockRedis().hset(keys.sale(saleId), { limits: `f 1 ${DAY_SEC * 1000} - 0 0` });
    await stockRedis().hset(keys.limits(saleId), { ada: `f${Date.now()} 1` });
    expect(await buy(saleId, 'ada', { address: '192.0.2.1' })).toMatchObject({ status: 'accepted' });
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'rate_limited', scope: 'user' });
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
    ['lock', buyUnderLock],
  ])('[H2 C1] answers not_reserved before anything else about the user, by %s', async (_, decide) => {
    const buy = (saleId: string, userId: string) => decide(purchaseOf(saleId, userId));
    const saleId = await openSale({ total: 1, requiresReservation: true });
    await stockRedis().hset(keys.reserved(saleId), { ada: 1 });
    expect(await buy(saleId, 'ben')).toEqual({ status: 'not_reserved' });
    expect(await buy(saleId, 'ada')).toMatchObject({ status: 'accepted' });
    expect(await buy(saleId, 'ben')).toEqual({ status: 'not_reserved' });
    await stockRedis().hset(keys.reserved(saleId), { ben: 1 });
    expect(await buy(saleId, 'ben')).toMatchObject({ status: 'sold_out' });
  });

  it('[H2] may become one for everybody', async () => {
    const saleId = await openSale({ requiresReservation: true });
    await configureStock({ saleId, epoch: 1, requiresReservation: false });
    expect(await buy(saleId, 'ben')).toMatchObject({ status: 'accepted' });
  });
});
