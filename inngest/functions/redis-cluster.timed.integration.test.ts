import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { newId } from '@/lib/ids/new-id';
import { decodeOrderNo } from '@/lib/ids/order-no';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { guardStock } from '@/lib/loading/guard-stock';
import { issueOrderNo, releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { shop, startCrowd } from '@/lib/purchase/testing/crowd';
import { keepGuarding } from '@/lib/purchase/testing/keep-guarding';
import { listedNow } from '@/lib/purchase/testing/listed-now';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { expectPrompt, longestMsOf, medianMsOf, refusedOf } from '@/lib/purchase/testing/told';
import { forgetOnReplicas } from '@/lib/recovery/forget-on-replicas';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readScript } from '@/lib/redis/run-script';
import { subscribe } from '@/lib/redis/subscribe';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { readStock } from '@/lib/stock/read-stock';
import { releaseStock } from '@/lib/stock/release-stock';
import { withdrawStock } from '@/lib/stock/withdraw-stock';
import { makeSale } from '@/test/support/make-sale';
import { startCluster, type TestCluster } from '@/test/support/start-cluster';
import { startStopwatch } from '@/test/support/stopwatch';
import { expectKept } from './testing/expect-kept';
import { runFunctions } from './testing/run-functions';

const PRIMARIES = 3;
const PURCHASE_SHA = createHash('sha1').update(readScript('purchase-3-n')).digest('hex');
let cluster: TestCluster;
let stopFunctions: (() => Promise<void>) | undefined;

beforeAll(async () => {
  cluster = await startCluster({ primaries: PRIMARIES });
  process.env.REDIS_URL = cluster.url;
  stopFunctions = await runFunctions();
});
afterAll(async () => {
  await stopFunctions?.();
  await releaseOrderNos().catch(() => undefined);
  await closeRedis();
  await closeDb();
  await cluster.stop();
});

/** Creates a sale whose keys lie on the given primary. */
async function saleOn(
  primary: number,
  options: Parameters<typeof createSaleFixture>[0],
): Promise<SaleFixture> {
  for (;;) {
    const sale = await createSaleFixture(options);
    if (cluster.holderOf(keys.sale(sale.saleId)) === primary) return sale;
    await db().$executeRaw`UPDATE sales SET status = 'closed', closed_at = now() - interval '2 hours',
      ends_at = now() - interval '2 hours', starts_at = now() - interval '3 hours', entry_opens_at = now() - interval '4 hours'
      WHERE id = ${sale.saleId}`;
  }
}

describe('a cluster', () => {
  it('[K1] accepts, answers again, sells out, releases, confirms and is rebuilt', async () => {
    const sale = await saleOn(1, { total: 2, users: 4 });
    const [ada = '', ben = '', cid = ''] = sale.userIds;
    const first = await shop(sale, ada);
    expect(first).toMatchObject({ http: 202, replay: false });
    expect(await shop(sale, ada)).toMatchObject({ http: 202, orderNo: first.orderNo, replay: true });
    expect(await shop(sale, ada, 'jti_other')).toMatchObject({ http: 409, code: 'LIMIT_REACHED' });
    const second = await shop(sale, ben);
    expect(await shop(sale, cid)).toMatchObject({ http: 409, code: 'SOLD_OUT' });
    const released = { saleId: sale.saleId, userId: ben, orderNo: second.orderNo };
    expect(await releaseStock(released)).toMatchObject({ status: 'released' });
    expect(await confirmStock({ saleId: sale.saleId, userId: ada, orderNo: first.orderNo })).toMatchObject({
      status: 'confirmed',
    });
    expect(await readStock(sale.saleId)).toMatchObject({ available: 1, held: 0, sold: 1 });
    await withdrawStock(sale.saleId);
    expect(await ensureStockLoaded(sale.saleId)).toEqual({ status: 'loaded' });
    expect(await shop(sale, ada)).toMatchObject({ http: 202, orderNo: first.orderNo, replay: true });
  });

  it('[K1] counts the limits of users and addresses, the address in a key of its own', async () => {
    const ip = { algorithm: 'fixed-window', limit: 3, windowSec: 600 };
    const user = { algorithm: 'token-bucket', limit: 2, windowSec: 600 };
    const { sale: info } = await makeSale({ totalStock: 50, limits: { ip, user } });
    const { gate = '', epoch = 0 } = (await readStock(info.saleId)) ?? {};
    const userIds = Array.from({ length: 6 }, () => newId('user'));
    const sale = { saleId: info.saleId, gate, epoch, userIds };
    const codes: string[] = [];
    for (const userId of sale.userIds.slice(0, 5))
      codes.push((await shop(sale, userId, undefined, '192.0.2.7')).code ?? 'in');
    expect(codes).toEqual(['in', 'in', 'in', 'RATE_LIMITED', 'RATE_LIMITED']);
    const [last = ''] = userIds.slice(-1);
    expect((await shop(sale, last, undefined, '192.0.2.8')).http).toBe(202);
    expect((await shop(sale, last, 'jti_2', '192.0.2.8')).code).toBe('LIMIT_REACHED');
    expect((await shop(sale, last, 'jti_3', '192.0.2.8')).code).toBe('RATE_LIMITED');
  });

  it('[K1] many sales on all servers become orders through the relays', async () => {
    const sales = await Promise.all(
      Array.from({ length: 12 }, (_, n) => saleOn(n % PRIMARIES, { total: 20, users: 8 })),
    );
    const replies = await Promise.all(
      sales.flatMap((sale) => sale.userIds.map((userId) => shop(sale, userId))),
    );
    expect(new Set(replies.map(({ http }) => http))).toEqual(new Set([202]));
    const ids = sales.map(({ saleId }) => saleId);
    await expect.poll(() => db().order.count({ where: { saleId: { in: ids } } })).toBe(12 * 8);
    for (const saleId of ids) await expect.poll(async () => (await readOutboxDepth(saleId)).depth).toBe(0);
    await expectKept(sales[0]?.saleId);
  });
});

describe('a slot that moves to another server', () => {
  it('[K1] is sold from all the while, without an error', async () => {
    const sale = await saleOn(0, { total: 400, users: 400 });
    const crowd = startCrowd(sale);
    await delay(200);
    await cluster.moveSlot(keys.sale(sale.saleId), 1);
    await delay(500);
    const replies = await crowd.stop();
    expect(refusedOf(replies)).toEqual([]);
    expect(replies.length).toBeGreaterThan(5);
    await expectKept(sale.saleId);
  });
});

describe('a primary that is stopped, and refuses nothing', () => {
  it('[K1] is left for the one promoted; messages go on by way of another server, and the gap is told', async () => {
    const [hit, beside] = [
      await saleOn(0, { total: 900, users: 900 }),
      await saleOn(1, { total: 900, users: 900 }),
    ];
    const messages: string[] = [];
    const gapsAt: number[] = [];
    const heard = subscribe('test:channel', {
      onMessage: (message) => messages.push(message),
      onGap: () => gapsAt.push(performance.now()),
    });
    // The subscriber moves on by one server each time it loses its connection.
    await expect
      .poll(async () => {
        const [, count] = (await cluster.admin(0).pubsub('NUMSUB', 'test:channel')) as [string, number];
        if (count === 1) return 'here';
        if (heard.isListening())
          for (let i = 1; i < 2 * PRIMARIES; i += 1)
            await cluster.admin(i).call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      })
      .toBe('here');

    const crowds = [startCrowd(hit), startCrowd(beside)];
    // The relays read the list of outboxes once a second.
    await expect.poll(() => db().order.count({ where: { saleId: beside.saleId } })).toBeGreaterThan(0);
    const frozenAt = performance.now();
    cluster.freeze(0);
    const promoted = cluster.admin(PRIMARIES);
    // The list of outboxes is there, too: meanwhile the relays go by what they know.
    expect(cluster.holderOf(keys.openSales())).toBe(0);
    await expect
      .poll(async () => {
        const later = crowds[1]?.replies
          .filter(({ at }) => at > frozenAt)
          .map(({ orderNo }) => BigInt(orderNo));
        return db().order.count({ where: { id: { in: later ?? [] } } });
      })
      .toBeGreaterThan(0);
    expect(await promoted.info('replication')).toMatch(/role:slave/);
    await expect.poll(() => promoted.info('replication'), { interval: 20 }).toMatch(/role:master/);
    const promotedAt = performance.now();
    const sincePromoted = startStopwatch();
    const back = () => crowds[0]?.replies.some(({ http, at }) => http === 202 && at > promotedAt);
    await expect.poll(back, { interval: 20 }).toBe(true);
    expect(sincePromoted()).toBeLessThan(2_000);
    const [, onBeside = []] = await Promise.all(crowds.map((crowd) => crowd.stop()));
    expect(refusedOf(onBeside)).toEqual([]);
    expectPrompt(onBeside);

    await expect.poll(() => heard.isListening() && Math.max(...gapsAt) > frozenAt).toBe(true);
    await stockRedis().publish('test:channel', 'after');
    await expect.poll(() => messages).toEqual(['after']);
    cluster.thaw(0);
    await expect.poll(() => cluster.admin(0).info('replication')).toMatch(/role:slave/);
    // It still knows how to sell. Promoted again, it must not before its sales were looked at.
    expect(await cluster.admin(0).script('EXISTS', PURCHASE_SHA)).toEqual([1]);
    await expect
      .poll(async () => {
        await forgetOnReplicas();
        return cluster.admin(0).script('EXISTS', PURCHASE_SHA);
      })
      .toEqual([0]);
    expect(await promoted.script('EXISTS', PURCHASE_SHA)).toEqual([1]);
    await expectKept(hit.saleId);
  });
});

describe('a primary that is killed', () => {
  it('[K1 C11] leaves sales on other servers alone, is replaced, and nothing that was replicated is lost', async () => {
    const [hit, beside] = [
      await saleOn(2, { total: 900, users: 900 }),
      await saleOn(1, { total: 900, users: 900 }),
    ];
    const before = await shop(hit, hit.userIds[899] ?? '');
    expect(before.http).toBe(202);
    expect(await cluster.admin(2).wait(1, 5_000)).toBe(1);
    const promoted = cluster.admin(2 + PRIMARIES);
    expect(await promoted.script('EXISTS', PURCHASE_SHA)).toEqual([0]);

    const crowds = [startCrowd(hit), startCrowd(beside)];
    await delay(300);
    const killedAt = performance.now();
    await cluster.kill(2);
    const listed = listedNow();
    await expect.poll(() => promoted.info('replication'), { interval: 20 }).toMatch(/role:master/);
    const promotedMs = performance.now() - killedAt;
    const sincePromoted = startStopwatch();
    const stopGuard = keepGuarding();
    const back = () => crowds[0]?.replies.some(({ http, at }) => http === 202 && at > killedAt + promotedMs);
    await expect.poll(back, { interval: 20 }).toBe(true);
    expect(sincePromoted()).toBeLessThan(2_000);
    const backMs = performance.now() - killedAt;
    expect((await listed).sales.map(({ saleId }) => saleId)).toContain(beside.saleId);
    await delay(500);
    const [onHit = [], onBeside = []] = await Promise.all(crowds.map((crowd) => crowd.stop()));
    await stopGuard();
    console.info(`promoted after ${Math.round(promotedMs)} ms, sells again after ${Math.round(backMs)} ms`);

    expect(refusedOf(onBeside)).toEqual([]);
    expectPrompt(onBeside);
    const failed = onHit.filter(({ http }) => http !== 202);
    expect(new Set(failed.map(({ http, code }) => `${http} ${code}`))).toEqual(
      new Set(['503 STOCK_UNAVAILABLE']),
    );
    expect(longestMsOf(onHit)).toBeLessThan(8_000);
    // Purchases that were acknowledged and replicated are still there, and so are those that this process remembers.
    expect(await shop(hit, hit.userIds[899] ?? '')).toMatchObject({ http: 202, orderNo: before.orderNo });
    for (const { userId, orderNo, http } of onHit)
      if (http === 202) expect(await shop(hit, userId)).toMatchObject({ http: 202, orderNo, replay: true });

    expect(await promoted.script('EXISTS', PURCHASE_SHA)).toEqual([1]);
    await expectKept(hit.saleId);
    await expectKept(beside.saleId);
  });
});

describe('a shard that is gone for good', () => {
  it('[K1] fails its own sales only, each within about a second', async () => {
    // The list of outboxes goes with it.
    const holder = cluster.holderOf(keys.openSales());
    const [gone, alive] = [
      await saleOn(holder, { total: 500, users: 500 }),
      await saleOn(1, { total: 500, users: 500 }),
    ];
    const [known = '', first = ''] = alive.userIds.splice(0, 2);
    await shop(alive, known);
    await expect.poll(() => db().order.count({ where: { saleId: alive.saleId } })).toBe(1);
    // So does the number under which this process issues order numbers.
    const workerOf = async () => decodeOrderNo(BigInt(await issueOrderNo(known))).workerId;
    while (cluster.holderOf(keys.worker(await workerOf())) !== holder) await releaseOrderNos();
    await cluster.kill(holder);
    await cluster.kill(holder + PRIMARIES);
    // As if it had just been promoted: its sales are looked at first, and no others.
    await cluster.admin(1).script('FLUSH');
    await withdrawStock(alive.saleId);
    await expect.poll(async () => (await shop(alive, first)).http).toBe(202);
    const crowds = [startCrowd(gone), startCrowd(alive)];
    await delay(4_000);
    const [onGone = [], onAlive = []] = await Promise.all(crowds.map((crowd) => crowd.stop()));
    expect(refusedOf(onAlive)).toEqual([]);
    expect(onAlive.length).toBeGreaterThan(50);
    expectPrompt(onAlive);
    expect(new Set(onGone.map(({ http }) => http))).toEqual(new Set([503]));
    expect(medianMsOf(onGone)).toBeLessThan(5_000);
    expect(longestMsOf(onGone)).toBeLessThan(8_000);
    await expect.poll(() => db().order.count({ where: { saleId: alive.saleId } })).toBe(onAlive.length + 2);
    expect(await guardStock()).toEqual([]);
    // Once it has ended, another number serves.
    const clock = vi
      .spyOn(Date, 'now')
      .mockImplementation(() => performance.timeOrigin + performance.now() + 40_000);
    await expect.poll(async () => cluster.holderOf(keys.worker(await workerOf()))).not.toBe(holder);
    clock.mockRestore();
  });

  it('[K1] with all others gone as well, a command fails within about a second, and says why', async () => {
    await Promise.all(Array.from({ length: 2 * PRIMARIES }, (_, i) => cluster.kill(i)));
    for (let i = 0; i < 3; i += 1) {
      const startedAt = performance.now();
      const error = await stockRedis()
        .get('key')
        .catch((reason: unknown) => reason);
      expect(isOutage(error)).toBe(true);
      // The first may meet connections that are just breaking.
      expect(performance.now() - startedAt).toBeLessThan(i === 0 ? 3_000 : 1_900);
    }
  });
});
