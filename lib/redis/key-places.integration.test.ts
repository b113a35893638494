import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { createTask } from '@/lib/challenge/create-task';
import { closeDb } from '@/lib/db/client';
import { countRefusal } from '@/lib/device/count-refusal';
import { offerChallenge } from '@/lib/entry/offer-challenge';
import { newId } from '@/lib/ids/new-id';
import { readLive } from '@/lib/live/read-live';
import { shareSample, takeTurn } from '@/lib/live/shared-sample';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { flushAttempts } from '@/lib/metrics/attempts';
import { createPublisher } from '@/lib/metrics/publish-figures';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { giveWorkerSign } from '@/lib/preflight/worker-sign';
import { shop } from '@/lib/purchase/testing/crowd';
import { publishNow } from '@/lib/purchase/testing/listed-now';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { reserve } from '@/lib/reservation/reserve';
import { countUnpaid } from '@/lib/risk/count-unpaid';
import { evaluateNow, startRisk, stopRisk } from '@/lib/risk/evaluate-risk';
import { readStock } from '@/lib/stock/read-stock';
import { withdrawStock } from '@/lib/stock/withdraw-stock';
import { claimTry } from '@/lib/tries/claim-try';
import { makeSale } from '@/test/support/make-sale';
import { reservable } from '@/test/support/reservable';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { cacheRedis, closeRedis, stockRedis } from './client';
import { keys } from './keys';
import { KEY_PLACES } from './testing/key-places';

let stock: StockRedis;
let cache: StockRedis;

beforeAll(async () => {
  [stock, cache] = await Promise.all([startStockRedis(), startStockRedis()]);
  Object.assign(process.env, { REDIS_URL: stock.url, CACHE_REDIS_URL: cache.url });
});
afterAll(async () => {
  await releaseOrderNos().catch(() => undefined);
  await Promise.all([closeRedis(), closeDb()]);
  await Promise.all([stock.stop(), cache.stop()]);
});

/** Returns arguments that turn a builder's key into a pattern. A lock's name is `kind:id`, or `kind` alone. */
const anything = (name: string): unknown[][] => {
  if (name === 'challenge') return [[{ saleId: '*', userId: '*' }, '*']];
  return name.startsWith('lock') ? [['*'], ['*:*']] : [['*', '*', '*', '*']];
};
const patterns = Object.keys(KEY_PLACES).flatMap((name) =>
  anything(name).map((given) => {
    const build = keys[name as keyof typeof KEY_PLACES] as (...given: unknown[]) => string;
    const escaped = build(...given).replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    return { name, pattern: new RegExp(`^${escaped.replaceAll('*', '.+')}$`) };
  }),
);
// The longest pattern says what a key is: those of an outbox are no sale.
const nameOf = (key: string) =>
  patterns
    .filter(({ pattern }) => pattern.test(key))
    .sort((a, b) => b.pattern.source.length - a.pattern.source.length)[0]?.name ?? `nobody's: ${key}`;

const namesOn = async (redis: Redis) => [...new Set((await redis.keys('*')).map(nameOf))].sort();
const placesOf = (names: readonly string[]) =>
  new Set(names.map((name) => KEY_PLACES[name as keyof typeof KEY_PLACES] ?? name));

const LIMIT = { algorithm: 'fixed-window', limit: 1_000, windowSec: 600 };
const openedSale = async () => {
  const { sale, merchant } = await makeSale({
    totalStock: 100,
    challenge: 'arithmetic',
    limits: { ip: LIMIT, user: LIMIT, interface: LIMIT },
  });
  const { gate = '' } = (await readStock(sale.saleId)) ?? {};
  return { saleId: sale.saleId, gate, merchant };
};

it('[C9] what may be lost lies on the other Redis: the one that sells holds what the list says, and no more', async () => {
  const { saleId, gate, merchant } = await openedSale();
  const { saleId: reservedSale } = await reservable();
  const address = '192.0.2.9';
  await startRisk();
  const buyers = Array.from({ length: 5 }, () => newId('user'));
  for (const userId of buyers) {
    const who = { userId, level: 0, address };
    await issueEntry(saleId, who);
    await offerChallenge(saleId, who, createTask);
    expect((await shop({ saleId, gate }, userId, undefined, address)).http).toBe(202);
    expect((await shop({ saleId, gate }, userId, 'jti_other', address)).http).toBe(409);
  }
  await reserve(reservedSale, merchant.userId, { address });
  await evaluateNow();
  await countUnpaid();
  await flushAttempts();
  await claimTry([{ key: keys.tries('sign-in', 'account', 'x'), kind: 'ahead', free: 3, keepMs: 60_000 }]);
  countRefusal('altered');
  await createPublisher('web')();
  await takeTurn(saleId, 'me');
  const live = await readLive(merchant, saleId, null);
  if (live.status === 'found') await shareSample(live.live);
  await publishNow();
  await giveWorkerSign();
  await reconcileSale(saleId, { cause: 'demand', isRepairing: false, graceMs: 0 });
  await withdrawStock(saleId);
  expect(await ensureStockLoaded(saleId)).toEqual({ status: 'loaded' });
  await stopRisk();

  const [onStock, onCache] = await Promise.all(
    [stockRedis(), cacheRedis()].map((redis) => namesOn(redis as Redis)),
  );
  const isOfCache = (name: string) => placesOf([name]).has('cache');
  expect((onStock ?? []).filter(isOfCache), 'on the one that sells').toEqual([]);
  expect(placesOf(onStock ?? [])).toEqual(new Set(['stock', 'both', 'lock']));
  // The lock of a rebuild lies where the stock does.
  expect((await (stockRedis() as Redis).keys('*lock*')).every((key) => /rebuild/.test(key))).toBe(true);
  expect([...placesOf(onCache ?? [])].sort()).toEqual(['both', 'cache', 'lock']);
  expect(onStock).toEqual(
    expect.arrayContaining(['sale', 'buyers', 'outbox', 'limits', 'limit', 'reserved']),
  );
  expect(onCache).toEqual(
    expect.arrayContaining([
      ...['attempts', 'challenge', 'challengeCount', 'deviceRefusals', 'limit', 'livePoints'],
      ...['processFigures', 'riskCount', 'riskOrigins', 'saleInfo', 'saleList', 'tries'],
    ]),
  );
});
