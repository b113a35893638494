import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Redis from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rawGet } from '@/lib/server/testing/raw-get';
import { ensureNginx } from '../scripts/infra/find-server.mjs';
import { sentence } from '../scripts/infra/problem.mjs';
import { followSale, startBuying } from '../test/support/crowd-at-edge.mjs';
import { buildLastRelease, findLastRelease } from '../test/support/last-release.mjs';
import { runNpm } from '../test/support/run-npm.mjs';
import { openShopOfRoles, WELL } from '../test/support/shop-of-roles.mjs';
import { startEdge } from './nginx/testing/start-edge';

// The last release and this one side by side, behind the nginx we ship, as docs/UPGRADE.md describes an upgrade.
const root = resolve(import.meta.dirname, '..');
const { commit, problem } = findLastRelease(root);
const nginx = await ensureNginx().catch((error) => {
  console.warn(`The upgrade is not tested. ${sentence(error)}`);
  return null;
});
if (problem) console.warn(`The upgrade is not tested: ${problem}.`);

const SHOP = 'https://shop.example.com';
/** Little for two cores, but they also run nginx, both releases and the crowd: it measures losses, not speed. */
const PER_SECOND = Number(process.env.UPGRADE_PER_SECOND ?? 40);
const USERS = 150 * PER_SECOND;
const READERS = 6;
/** nginx leaves a server out for 2 s after it found it closed; the next one must not go before. */
const NOTICED_MS = 3_000;
const untilPasses = (ask) => vi.waitFor(ask, { timeout: 300_000, interval: 200 });
const dir = mkdtempSync(join(tmpdir(), 'seckill-upgrade-'));

/** @type {Awaited<ReturnType<typeof openShopOfRoles>>} */
let shop;
/** @type {Awaited<ReturnType<typeof startEdge>>} */
let edge;
/** @type {pg.Pool} */
let db;
let last = '';

const rows = async (sql, values = []) => (await db.query(sql, values)).rows;

/** A published sale as the last release knows it; a worker loads it into Redis. */
async function addSale(name, { total, payWithinSec }) {
  const [saleId, gate] = [`sale_${name}`, randomBytes(12).toString('hex')];
  await db.query(
    `INSERT INTO products (id, merchant_id, slug, name, description, image_url)
     VALUES ($1, 'user_seller', $1, 'Lamp', 'A lamp', '/products/lamp.svg')`,
    [`prod-${name}`],
  );
  await db.query(
    `INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                        starts_at, ends_at, entry_opens_at, payment_window_sec, status, epoch, gate, published_at)
     VALUES ($1, $2, 'user_seller', $2, 'Lamp sale', 1999, 'EUR', $3, 5, now() - interval '1 minute',
             now() + interval '1 hour', now() - interval '2 minutes', $4, 'published', 1, $5, now())`,
    [saleId, `prod-${name}`, total, payWithinSec, gate],
  );
  return { saleId, path: `/api/sales/${saleId}/purchase/${gate}` };
}

/** Entry tokens, signed by the release in that folder. */
async function makeTokens({ saleId }, users, from) {
  const out = join(dir, `${randomUUID()}.jsonl`);
  const args = ['--sale', saleId, '--users', String(users), '--out', out];
  await untilPasses(() => shop.run('loadtest:tokens', shop.parts.worker.env, args, from));
  return readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).entryToken);
}

/** Asks a web process as nginx does for a shopper of that address. */
async function ask(part, path, { method = 'GET', address = '192.0.2.1', headers = {}, body } = {}) {
  const answer = await rawGet(
    shop.parts[part].origin + path,
    {
      host: new URL(SHOP).host,
      origin: SHOP,
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    { method, body: body && JSON.stringify(body) },
  );
  const text = answer.body.toString();
  expect(answer.status, `${part} ${path}: ${text}`).toBeLessThan(300);
  return { cookies: answer.headers['set-cookie'] ?? [], ...JSON.parse(text || '{}') };
}

const isReady = (part, path = '/readyz') =>
  untilPasses(async () => expect((await fetch(shop.parts[part].origin + path)).status).toBe(200));

/** Replaces one process by that of another release, as an operator does. */
async function replace(part, from) {
  const code = await shop.stopPart(part);
  if (part.startsWith('web')) expect(code).toBe(0);
  shop.startPart(part, from);
  await isReady(part);
  await sleep(NOTICED_MS);
}

const ordersOf = async ({ saleId }) =>
  (await rows('SELECT id::text FROM orders WHERE sale_id = $1', [saleId])).map(({ id }) => id);

/** Redis gave no answer for 2 s, as on a machine that has no processor left: that is nobody's end. */
const isStarved = ({ problem: code, ms }) => code === 'STOCK_UNAVAILABLE' && ms > 1_900;

const p99 = (attempts) =>
  attempts.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(attempts.length * 0.99)];

describe.skipIf(problem || !nginx)('two releases side by side', () => {
  let early;
  let sale;
  /** Shoppers to stop in the end, even if a test fails. */
  const crowd = [];

  beforeAll(async () => {
    chmodSync(dir, 0o711);
    expect(await runNpm('build', [])).toMatchObject({ code: 0, stderr: '' });
    last = await buildLastRelease(root, commit);
    shop = await openShopOfRoles({
      dir,
      settings: {
        NEXTAUTH_URL: SHOP,
        TRUST_PROXY: '1',
        SECKILL_DEMO: '0',
        ALLOW_SANDBOX_PAYMENTS: '1',
        DRAIN_MS: '5000',
      },
    });
    const { parts, shared } = shop;
    await shop.run('migrate', { DATABASE_URL: shared.DATABASE_URL }, [], last);
    db = new pg.Pool({ connectionString: shared.DATABASE_URL, max: 2 });
    await rows(`INSERT INTO users (id, email, name, password_hash, role)
                VALUES ('user_seller', 'seller@example.com', 'Seller', '!', 'merchant')`);
    early = await addSale('early', { total: 50, payWithinSec: 45 });
    sale = await addSale('lamps', { total: 10 * USERS, payWithinSec: 3_600 });
    for (const name of Object.keys(parts)) shop.startPart(name, last);
    await untilPasses(async () => expect(await shop.health()).toEqual(WELL));
    edge = await startEdge(nginx, [parts.web1.origin, parts.web2.origin]);
    // Building the last release takes a minute, and far longer on a machine that has other things to do.
  }, 1_200_000);
  afterAll(async () => {
    await Promise.all(crowd.map(({ stop }) => stop()));
    await edge?.stop();
    await db?.end();
    await shop?.close();
  });

  it('[K7] each process is replaced in mid-sale, and one goes back: no purchase fails, no connection is refused, streams come back', async () => {
    const { DATABASE_URL } = shop.shared;
    const tokens = await makeTokens(sale, USERS, last);
    const earlyTokens = await makeTokens(early, 10, last);
    // Their time to pay runs out under the new release; the timer is the old one's.
    const buyEarly = (token, n) =>
      untilPasses(() =>
        ask('web1', early.path, {
          method: 'POST',
          address: `192.0.2.${20 + n}`,
          headers: { 'x-entry-token': token },
        }),
      );
    await Promise.all(earlyTokens.map(buyEarly));

    const readers = Array.from({ length: READERS }, (_, n) =>
      followSale(edge, `/api/sales/${sale.saleId}/events`, `10.254.0.${n}`),
    );
    const buying = startBuying(edge, { path: sale.path, tokens, perSecond: PER_SECOND });
    crowd.push(buying, ...readers);
    await sleep(5_000);
    await shop.run('migrate', { DATABASE_URL });
    const from = performance.now();
    await replace('web1');
    await replace('worker');
    await replace('executor');
    await replace('web2');
    const replacedAt = performance.now();
    await replace('web2', last);
    const attempts = await buying.stop();

    expect(attempts.filter((one) => one.status !== 202 && !isStarved(one))).toEqual([]);
    const accepted = new Set(attempts.flatMap(({ orderNo }) => orderNo ?? []));
    expect(accepted.size).toBeGreaterThan(PER_SECOND);
    await untilPasses(async () => {
      const written = new Set(await ordersOf(sale));
      expect([...accepted].filter((orderNo) => !written.has(orderNo))).toEqual([]);
    });
    await untilPasses(async () => {
      for (const { told } of readers) expect(told.lastEventAt).toBeGreaterThan(replacedAt);
    });
    for (const reader of readers) {
      expect(reader.told).toMatchObject({ refused: 0 });
      expect(reader.told.opened).toBeGreaterThan(1);
    }
    await untilPasses(async () =>
      expect(
        await rows('SELECT DISTINCT status, end_reason FROM orders WHERE sale_id = $1', [early.saleId]),
      ).toEqual([{ status: 'cancelled', end_reason: 'expired' }]),
    );
    const before = attempts.filter(({ at }) => at < from - 2_000);
    const during = attempts.filter(({ at }) => at >= from);
    console.info(
      `[K7] ${attempts.length} purchases, ${attempts.filter(isStarved).length} of them without an answer of Redis, at ${PER_SECOND}/s while five processes were replaced: p99 ${p99(before).toFixed()} ms before, ${p99(during).toFixed()} ms during`,
    );
  }, 900_000);

  it.each([
    { one: 'web2', other: 'web1', who: 'the last release' },
    { one: 'web1', other: 'web2', who: 'this one' },
  ])(
    '[K7] a session, a token, an order and a payment that began at $who go on at the other',
    async ({ one, other }) => {
      const releases = [shop.parts.web1, shop.parts.web2, shop.parts.worker, shop.parts.executor];
      expect(releases.map(({ from }) => from)).toEqual([undefined, last, undefined, undefined]);
      const address = one === 'web1' ? '192.0.2.11' : '192.0.2.12';
      const email = `${one}@example.com`;
      const password = 'a long enough password';
      await ask(one, '/api/register', { method: 'POST', address, body: { email, password, name: 'Kim' } });
      const signedIn = await ask(one, '/api/auth/callback/credentials', {
        method: 'POST',
        address,
        body: { email, password },
      });
      const cookie = signedIn.cookies.map((each) => each.split(';')[0]).join('; ');
      const own = { address, headers: { cookie } };
      const { entryToken } = await ask(other, `/api/sales/${sale.saleId}/entry`, {
        ...own,
        method: 'POST',
        body: {},
      });
      const bought = await ask(one, sale.path, {
        method: 'POST',
        address,
        headers: { 'x-entry-token': entryToken },
      });
      expect(bought).toMatchObject({ status: 'queued', replay: false });
      const again = await ask(other, sale.path, {
        method: 'POST',
        address,
        headers: { 'x-entry-token': entryToken },
      });
      expect(again).toMatchObject({ orderNo: bought.orderNo, replay: true });
      const order = () => ask(other, `/api/orders/${bought.orderNo}`, own);
      await untilPasses(async () => expect(await order()).toMatchObject({ status: 'pending_payment' }));
      const { paymentId, redirectUrl } = await ask(one, `/api/orders/${bought.orderNo}/pay`, {
        ...own,
        method: 'POST',
        body: {},
      });
      const token = new URL(redirectUrl, SHOP).searchParams.get('token');
      await ask(other, `/api/payments/sandbox/${paymentId}/pay`, { ...own, method: 'POST', body: { token } });
      await untilPasses(async () => expect(await order()).toMatchObject({ status: 'paid' }));
    },
  );

  it('[K7] what the last release wrote is rebuilt by this one, both sell on, and both find every promise kept', async () => {
    const redis = new Redis(shop.stores.redis.url);
    await redis.flushall();
    redis.disconnect();
    const tokens = await makeTokens(sale, 20);
    const buy = (part, token, n) =>
      ask(part, sale.path, {
        method: 'POST',
        address: `192.0.2.${100 + n}`,
        headers: { 'x-entry-token': token },
      });
    await untilPasses(() => buy('web2', tokens[0], 0));
    const bought = await Promise.all(tokens.map((token, n) => buy(n % 2 ? 'web1' : 'web2', token, n)));
    const numbers = bought.map(({ orderNo }) => orderNo);
    await untilPasses(async () => expect(await ordersOf(sale)).toEqual(expect.arrayContaining(numbers)));
    await shop.run('verify', shop.shared);
    await shop.run('verify', shop.shared, [], last);
    await shop.stopParts();
  });
});
