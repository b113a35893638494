import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { findOrder } from '@/lib/order/find-order';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { closeRedis } from '@/lib/redis/client';
import { verifySale } from '@/lib/verify/verify-sale';
import { anyFreePort } from '@/scripts/infra/ports.mjs';
import { startPostgres } from '@/scripts/infra/postgres.mjs';
import { startReaper } from '@/scripts/infra/reaper.mjs';
import { applyMigrations } from '@/scripts/migrate/apply-migrations';
import { purchase } from './purchase';
import { drainOutbox } from './testing/drain-outbox';
import { createSaleFixture, readStates, type SaleFixture } from './testing/sale-fixture';

const CAP = 5;
const dir = mkdtempSync(join(tmpdir(), 'seckill-backlog-'));
chmodSync(dir, 0o711);
const reaper = startReaper(dir);
const start = async (port: number, password: string) =>
  startPostgres({
    dir: join(dir, 'postgres'),
    port,
    password,
    logFile: join(dir, 'postgres.log'),
    settings: { fsync: 'off' },
    onSpawn: (child) => reaper.watch(child.pid),
  });
let postgres: Awaited<ReturnType<typeof start>>;
let restart: () => Promise<void>;

beforeAll(async () => {
  const [port, password] = [await anyFreePort(), randomBytes(12).toString('hex')];
  postgres = await start(port, password);
  restart = async () => {
    postgres = await start(port, password);
  };
  process.env.DATABASE_URL = postgres.url;
  process.env.SECKILL_BACKLOG_CAP = String(CAP);
  await applyMigrations(postgres.url);
});

afterAll(async () => {
  await releaseOrderNos();
  await closeRedis();
  await closeDb();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
  reaper.dismiss();
});

async function shop({ saleId, gate }: SaleFixture, userId = '') {
  const claims = {
    userId,
    saleId,
    level: 0,
    jti: `jti_${userId}`,
    expiresAt: Date.now() + 600_000,
    device: '',
  };
  const reply = await purchase({ saleId, gate, entryToken: signEntryToken(claims), body: '' });
  return {
    http: reply.status,
    headers: reply.headers,
    ...(JSON.parse(reply.body) as { orderNo: string; replay?: boolean; code?: string }),
  };
}

it('[J4 E10] Postgres stopped: shoppers stay queued, above the cap new ones get 503, and all of it drains', async () => {
  const sale = await createSaleFixture({ total: 100, users: 60 });
  const [first = '', ...others] = sale.userIds;
  const bought = await shop(sale, first);
  await postgres.stop();

  const accepted = [String(bought.orderNo)];
  let refused: Awaited<ReturnType<typeof shop>> | undefined;
  for (const userId of others.slice(0, CAP)) {
    const reply = await shop(sale, userId);
    expect(reply.http).toBe(202);
    accepted.push(String(reply.orderNo));
  }
  const rest = others.slice(CAP);
  await expect
    .poll(
      async () => {
        refused = await shop(sale, rest.shift());
        if (refused.http === 202) accepted.push(String(refused.orderNo));
        return refused.http;
      },
      { interval: 200 },
    )
    .toBe(503);
  expect(refused).toMatchObject({ code: 'STOCK_UNAVAILABLE', headers: { 'retry-after': '5' } });
  expect((await readOutboxDepth(sale.saleId)).depth).toBe(accepted.length);
  expect(await shop(sale, first)).toMatchObject({ http: 202, orderNo: bought.orderNo, replay: true });
  const order = await findOrder({ userId: first, saleId: sale.saleId }, String(bought.orderNo));
  expect(order?.status).toBe('queued');

  await restart();
  await expect.poll(() => drainOutbox(sale.saleId).catch(() => -1)).toBe(accepted.length);
  expect([...(await readStates(sale.saleId)).keys()].sort()).toEqual([...accepted].sort());
  await expect.poll(async () => (await shop(sale, rest[0])).http).toBe(202);
  await drainOutbox(sale.saleId);
  expect((await verifySale(sale.saleId, { settleMs: 300 }))?.ok).toBe(true);
  expect(await db().order.count({ where: { saleId: sale.saleId } })).toBe(accepted.length + 1);
});
