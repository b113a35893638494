import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { createLoadUsers, loadUserId } from '@/lib/load-test/create-load-users';
import { guardStock } from '@/lib/loading/guard-stock';
import { issueOrderNo, releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { readOpenSales } from '@/lib/outbox/open-sales';
import { purchase } from '@/lib/purchase/purchase';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import {
  countStock,
  createSaleFixture,
  readStates,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readStock } from '@/lib/stock/read-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { findRedis } from '@/scripts/infra/find-server.mjs';
import { anyFreePort } from '@/scripts/infra/ports.mjs';
import { startReaper } from '@/scripts/infra/reaper.mjs';
import { startRedis } from '@/scripts/infra/redis.mjs';

const dir = mkdtempSync(join(tmpdir(), 'seckill-failover-'));
const reaper = startReaper(dir);
type Server = Awaited<ReturnType<typeof startRedis>> & { port: number };
let primary: Server;
let replica: Server;
let admin: Redis;

async function startServer(name: string): Promise<Server> {
  const port = await anyFreePort();
  const server = await startRedis({
    binary: findRedis({}),
    dir: join(dir, name),
    port,
    logFile: join(dir, `${name}.log`),
    settings: { appendonly: 'no', save: '', 'repl-diskless-sync-delay': 0 },
    onSpawn: (child) => reaper.watch(child.pid),
  });
  return { ...server, port };
}

beforeAll(async () => {
  [primary, replica] = await Promise.all([startServer('primary'), startServer('replica')]);
  process.env.REDIS_URL = primary.url;
  admin = new Redis(replica.url);
  admin.on('error', () => undefined);
  await admin.replicaof('127.0.0.1', primary.port);
});

afterAll(async () => {
  await releaseOrderNos().catch(() => undefined);
  await closeRedis();
  await closeDb();
  admin.disconnect();
  for (const { child } of [primary, replica]) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
  reaper.dismiss();
});

async function shop({ saleId, gate }: SaleFixture, userId: string, jti = newId('jti')) {
  const claims = { userId, saleId, level: 0, jti, expiresAt: Date.now() + 600_000, device: '' };
  const reply = await purchase({ saleId, gate, entryToken: signEntryToken(claims), body: '' });
  return { http: reply.status, ...(JSON.parse(reply.body) as { orderNo: string; code?: string }) };
}

describe('a replica that missed the last writes', () => {
  it('[C6 E2 J4] is promoted: no unit is sold twice, whoever was told 202 has an order while there are units', async () => {
    const [TOTAL, USERS] = [60, 120];
    const sale = await createSaleFixture({ total: TOTAL, users: USERS });
    const accepted = new Map<string, string>();
    const sellTo = async (userIds: readonly string[]) => {
      for (const userId of userIds) {
        const jti = `jti_${userId}`;
        let reply = await shop(sale, userId, jti);
        for (let attempt = 0; reply.http === 503 && attempt < 50; attempt += 1) {
          reply = await shop(sale, userId, jti);
        }
        expect([202, 409]).toContain(reply.http);
        if (reply.http === 202) accepted.set(reply.orderNo, userId);
      }
    };
    await sellTo(sale.userIds.slice(0, 15));
    expect(await stockRedis().wait(1, 5_000)).toBe(1);
    await admin.replicaof('NO', 'ONE');
    // The replica misses these purchases. Some are orders already; only this process knows the others.
    await sellTo(sale.userIds.slice(15, 25));
    await drainOutbox(sale.saleId);
    await sellTo(sale.userIds.slice(25, 35));

    const gone = new Promise((resolve) => primary.child.once('exit', resolve));
    primary.child.kill('SIGKILL');
    await gone;
    await admin.config('SET', 'port', String(primary.port));
    // The new server's epoch is valid, but the server has never sold anything. So the purchase looks at the sale
    // first; that needs no worker.
    await sellTo(sale.userIds.slice(35, 40));
    expect(await guardStock()).toEqual([]);
    expect((await readStock(sale.saleId))?.available).toBe(TOTAL - 40);
    await sellTo(sale.userIds.slice(40));
    await drainOutbox(sale.saleId);

    const orders = await readStates(sale.saleId);
    expect(accepted.size).toBe(TOTAL);
    for (const orderNo of accepted.keys()) expect(orders.get(orderNo)?.status).toBe('pending_payment');
    const verified = await verifySale(sale.saleId, { settleMs: 300 });
    expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
    expect(await guardStock()).toEqual([]);

    // A copy from before the sale was opened does not know that relays read its outbox.
    await stockRedis().srem(keys.openSales(), sale.saleId);
    await guardStock();
    expect(await readOpenSales()).toContain(sale.saleId);
  });
});

describe('a Redis that was restarted on an older copy', () => {
  it('[F2 J4] sells nothing before it was looked at: a token it has forgotten gets its first answer', async () => {
    const [sale, beside] = [await createSaleFixture({ total: 3 }), await createSaleFixture({ total: 3 })];
    const [userId = ''] = sale.userIds;
    const jti = newId('jti');
    const first = await shop(sale, userId, jti);
    await shop(beside, beside.userIds[0] ?? '');
    await drainOutbox(sale.saleId);
    // Set the sales back to before the purchase, under the same epoch, on a server that has just started.
    for (const { saleId } of [sale, beside]) {
      await stockRedis().hset(keys.sale(saleId), { server: 'before', available: 3, held: 0 });
      await stockRedis().del(keys.buyers(saleId));
    }
    await stockRedis().script('FLUSH');
    let again = await shop(sale, userId, jti);
    // On a slow machine the look takes longer than a shopper has to wait.
    while (again.http === 503) again = await shop(sale, userId, jti);
    expect(again).toMatchObject({ http: 202, orderNo: first.orderNo, replay: true });
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 2, held: 1, sold: 0 });
    // The look covers the other sales too: their next buyer finds a server that already knows the script.
    expect((await countStock(beside.saleId)).redis).toEqual({ available: 2, held: 1, sold: 0 });
  });
});

describe('a large sale', () => {
  it('[J4] of 100,000 buyers sells again within seconds of losing everything', async () => {
    const BUYERS = 100_000;
    const sale = await createSaleFixture({ total: BUYERS + 10, users: 2 });
    await createLoadUsers(BUYERS);
    await db().$executeRaw`
      INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status,
                          is_only_one, jti, epoch, accepted_at, pay_by)
      SELECT (id & 1023)::smallint, id, ${sale.saleId}, 'user_load' || lpad(n::text, 7, '0'), 1, 1999, 1999, 'EUR',
             'pending_payment', true, 'jti_' || n, 1, now(), now() + interval '15 minutes'
      FROM generate_series(1, ${BUYERS}::int) AS n, LATERAL (SELECT (n::bigint << 22) | (n & 1023) AS id) AS i`;
    await db().sale.update({ where: { id: sale.saleId }, data: { heldStock: BUYERS } });
    await stockRedis().flushall();

    const startedAt = performance.now();
    let refused = 0;
    const first = sale.userIds[0] ?? '';
    while ((await shop(sale, first, 'jti_first')).http === 503) refused += 1;
    const tookMs = performance.now() - startedAt;
    console.info(`sells again after ${Math.round(tookMs)} ms with ${BUYERS} buyers (${refused} times 503)`);
    expect(tookMs).toBeLessThan(20_000);
    expect(await readStock(sale.saleId)).toMatchObject({ available: 9, held: BUYERS + 1 });
    const last = loadUserId(BUYERS);
    const replay = await shop(sale, last, `jti_${BUYERS}`);
    expect(replay).toMatchObject({
      http: 202,
      orderNo: String((BigInt(BUYERS) << 22n) | BigInt(BUYERS & 1023)),
    });
    expect(await issueOrderNo(last)).toMatch(/^\d+$/);
  });
});
