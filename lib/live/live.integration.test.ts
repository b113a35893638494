import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { countAttempt, flushAttempts } from '@/lib/metrics/attempts';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { cacheRedis, closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createOrders } from '@/lib/settlement/create-orders';
import { bundleProcess } from '@/test/support/bundle-process';
import { eventually } from '@/test/support/eventually';
import { joinLive } from './join-live';
import { readLive } from './read-live';
import { openLivePage } from './testing/open-live-page';

const admin: Actor = { userId: 'user_admin', role: 'admin' };

const children: ChildProcess[] = [];
const pages: ReturnType<typeof openLivePage>[] = [];

afterAll(async () => {
  for (const { leave } of pages) leave();
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([closeRedis(), closeDb()]);
});

type Own = { saleId: string; userIds: string[]; merchant: Actor };

async function newSale(): Promise<Own & Awaited<ReturnType<typeof createSaleFixture>>> {
  const sale = await createSaleFixture({ total: 10, users: 4 });
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  return { ...sale, merchant: { userId: merchantId, role: 'merchant' } };
}

async function found(saleId: string, actor: Actor = admin, since: number | null = null) {
  const result = await readLive(actor, saleId, since);
  if (result.status !== 'found') throw new Error(result.status);
  return result.live;
}

async function open(
  saleId: string,
  actor: Actor = admin,
  identify: () => Promise<Actor | null> = async () => actor,
) {
  const admin = openLivePage();
  pages.push(admin);
  const { status } = await joinLive({ actor, saleId, since: 0, openReader: admin.openReader, identify });
  expect(status).toBe('joined');
  return admin;
}

/** Waits until the condition holds; `expect.poll` doesn't work in tests that run at the same time. */
const until = (isSo: () => boolean | Promise<boolean>) =>
  eventually(async () => {
    if (!(await isSo())) throw new Error('not yet');
  }, 100);

const isCounted = (saleId: string) => cacheRedis().exists(keys.liveTurn(saleId));
const countKept = (saleId: string) => cacheRedis().llen(keys.livePoints(saleId));

// Each test mostly waits for seconds to pass, so they run side by side.
describe.concurrent('the live figures', () => {
  it('[J5 C5 E10] count tiers, orders by outcome, refusals by code and hits by rule', async () => {
    const own = await newSale();
    const orders = await buyForAll(own);
    await createOrders({ saleId: own.saleId, orders });
    await db().$executeRaw`
      UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired'
      WHERE sale_id = ${own.saleId} AND id = ${BigInt(orders[0]?.orderNo ?? 0)}`;
    await db().$executeRaw`
      UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'cancelled_by_shopper'
      WHERE sale_id = ${own.saleId} AND id = ${BigInt(orders[1]?.orderNo ?? 0)}`;
    for (let n = 0; n < 3; n += 1) countAttempt(own.saleId, 'rejected', 'LIMIT_REACHED');
    countAttempt(own.saleId, 'rejected', 'BLOCKED');
    for (let n = 0; n < 5; n += 1) countAttempt(own.saleId, 'accepted');
    await flushAttempts();
    await hit(own.saleId, 'Too many', 2);
    await hit(own.saleId, 'Robots', 1);

    const live = await found(own.saleId);
    expect(live).toMatchObject({
      stock: { total: 10, available: 6, held: 4, sold: 0 },
      orders: { pendingPayment: 2, paid: 0, cancelled: 2, expired: 1, failed: 0, refunded: 0, written: 4 },
      attempts: { accepted: 5, replayed: 0, soldOut: 0, rateLimited: 0, rejected: 4 },
      refusals: [
        { code: 'LIMIT_REACHED', count: 3 },
        { code: 'BLOCKED', count: 1 },
      ],
      risk: { hits: 3 },
      riskRules: [
        { name: 'Too many', hits: 2 },
        { name: 'Robots', hits: 1 },
      ],
    });
    expect(live.invariants.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(live.verifiedAt).toBeGreaterThan(Date.now() - 60_000);
    expect(live).not.toHaveProperty('points');
  });

  it('[J5] never say that more was written than accepted: a process may die with what it has counted', async () => {
    const own = await newSale();
    countAttempt(own.saleId, 'accepted');
    await flushAttempts();
    await createOrders({ saleId: own.saleId, orders: await buyForAll(own) });
    expect(await found(own.saleId)).toMatchObject({ attempts: { accepted: 4 }, orders: { written: 4 } });
  });

  it('[L4] are shown to its merchant and to those who see everybody’s, not to another merchant', async () => {
    const { saleId, merchant } = await newSale();
    const other: Actor = { userId: newId('user'), role: 'merchant' };
    expect(await readLive(other, saleId, null)).toEqual({ status: 'not_found' });
    expect(await readLive(admin, 'sale_nowhere', null)).toEqual({ status: 'not_found' });
    const refused = { saleId, since: 0, openReader: openLivePage().openReader };
    expect(await joinLive({ ...refused, actor: other, identify: async () => other })).toEqual({
      status: 'not_found',
    });
    for (const role of ['support', 'auditor', 'operator'] as const) {
      expect((await found(saleId, { userId: 'user_any', role })).sale.saleId).toBe(saleId);
    }
    expect((await found(saleId, merchant)).sale.saleId).toBe(saleId);
  });

  it('[C5] show the stock of this instant, also between two countings', async () => {
    const own = await newSale();
    expect((await found(own.saleId)).stock).toMatchObject({ available: 10, held: 0 });
    await buyForAll(own);
    expect((await found(own.saleId)).stock).toMatchObject({ available: 6, held: 4 });
  });

  it('[J5] keep what is drawn over time for a live page that is opened later', async () => {
    const { saleId } = await newSale();
    const first = await open(saleId);
    await until(() => first.samples().length > 3);
    const late = await open(saleId);
    const [sample] = late.samples();
    const seen = first.samples().map(({ at }) => at);
    expect(sample?.points.map(({ at }) => at)).toEqual(expect.arrayContaining(seen.slice(0, 3)));
    const since = seen[1] ?? 0;
    const asked = (await found(saleId, admin, since)).points?.map(({ at }) => at) ?? [];
    expect(asked).toContain(seen[2]);
    expect(Math.min(...asked)).toBeGreaterThan(since);
    expect(await cacheRedis().pttl(keys.livePoints(saleId))).toBeGreaterThan(0);
  });

  it('[J5] stop being counted when nobody looks any more', async () => {
    const { saleId } = await newSale();
    const admin = await open(saleId);
    admin.leave();
    await until(async () => (await isCounted(saleId)) === 0);
    const before = await countKept(saleId);
    await found(saleId);
    await until(async () => (await isCounted(saleId)) === 0);
    // One request, and the time the feed lingers after it, make only a few counts.
    const counted = (await countKept(saleId)) - before;
    expect(counted).toBeGreaterThanOrEqual(1);
    expect(counted).toBeLessThanOrEqual(6);
  });
});

describe.concurrent('the stream of live figures', () => {
  it('[J5] tells each second, with the number of its event', async () => {
    const { saleId } = await newSale();
    const admin = await open(saleId);
    await until(() => admin.samples().length > 2);
    expect(admin.text()).toMatch(/^retry: \d+\nid: \d+\ndata: \{/);
    const [first, ...rest] = admin.samples();
    for (const { at, points } of rest) expect(points.map((point) => point.at)).toEqual([at]);
    expect(first?.sale.saleId).toBe(saleId);
  });

  it('[L4] ends when its session does, or loses the right to look', async () => {
    const { saleId, merchant } = await newSale();
    let actor: Actor | null = merchant;
    const gone = await open(saleId, merchant, async () => actor);
    const demoted = await open(saleId, merchant, async () => ({ ...merchant, role: 'shopper' }));
    const stays = await open(saleId, merchant);
    actor = null;
    await eventually(() => expect([gone.state(), demoted.state()]).toEqual(['ended', 'ended']));
    expect(stays.state()).toBe('open');
  });

  it('[J5] says that it lives while there is nothing to count from, and goes on by itself', async () => {
    const { saleId } = await newSale();
    const admin = await open(saleId);
    // A wrong type under this key makes Redis answer with an error.
    const key = keys.attempts(saleId);
    await stockRedis().del(key);
    await stockRedis().set(key, 'in the way');
    const before = admin.samples().length;
    await until(() => admin.text().includes('event: beat\n'));
    await stockRedis().del(key);
    await until(() => admin.samples().length > before + 1);
    expect(admin.state()).toBe('open');
  });
});

describe.concurrent('many live pages', () => {
  it('[J5] 200 of them in two processes cost one counting a second, and one process may die', async () => {
    const own = await newSale();
    const [one, two] = await Promise.all([startLivePages(own, 100), startLivePages(own, 100)]);
    const [startedAt, kept] = [performance.now(), await countKept(own.saleId)];
    const had = (await samplesOf(one))[0]?.length ?? 0;
    await until(async () => {
      const [own, others] = [await samplesOf(one), await samplesOf(two)];
      return own.every((ats) => ats.length >= had + 6) && others.every((ats) => ats.length >= 6);
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    // A second that came late is made up for, so there may be two a second for a while. Each page by itself would make 200.
    expect((await countKept(own.saleId)) - kept).toBeLessThanOrEqual(2 * seconds + 2);
    // All readers show the same sample, counted once. One of the processes may have started long before the other, and on a
    // busy machine the one that does not count may miss some.
    const [seen = [], shown = []] = [(await samplesOf(one))[0], (await samplesOf(two))[0]];
    const from = Math.max(seen[0] ?? 0, shown[0] ?? 0);
    const [few = [], most = []] = [seen, shown]
      .map((ats) => ats.filter((at) => at >= from))
      .sort((a, b) => a.length - b.length);
    expect(few.filter((at) => most.includes(at)).length).toBeGreaterThan(few.length / 2);

    // The process that counts dies; the other one takes over.
    let holder: string | null = null;
    await until(async () => {
      holder = await cacheRedis().get(keys.liveTurn(own.saleId));
      return holder !== null;
    });
    const [dies, stays] = holder === one.me ? [one, two] : [two, one];
    expect(holder).toBe(dies.me);
    dies.child.kill('SIGKILL');
    // Counts over all its pages, since each stream is over after some minutes.
    const heard = async () => new Set((await samplesOf(stays)).flat()).size;
    const before = await heard();
    await until(async () => (await heard()) > before);
  });
});

type LivePages = { child: ChildProcess; me: string };

async function startLivePages({ saleId, merchant }: Own, count: number): Promise<LivePages> {
  const file = await bundleProcess(join(import.meta.dirname, 'testing/live-pages-process.ts'));
  const child = fork(file, [saleId, merchant.userId, String(count)], {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  children.push(child);
  const [me] = (await once(child, 'message')) as [string];
  return { child, me };
}

/** Returns, per admin of a process, when the figures they got were counted. */
async function samplesOf({ child }: LivePages): Promise<number[][]> {
  child.send('report');
  const [ats] = (await once(child, 'message')) as [number[][]];
  return ats;
}

async function hit(saleId: string, name: string, count: number): Promise<void> {
  const ruleId = newId('rule');
  await db().riskRule.create({
    data: {
      id: ruleId,
      name,
      definition: {},
      state: 'enabled',
      changedBy: 'user_admin',
    },
  });
  for (let n = 0; n < count; n += 1) {
    await db().riskHit.create({
      data: {
        ruleId,
        ruleVersion: 1,
        kind: 'user',
        value: `user_${n}`,
        period: BigInt(n),
        saleId,
        counters: {},
        action: {},
        dryRun: false,
      },
    });
  }
}
