import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { payFor } from '@/lib/purchase/testing/pay-for';
import {
  buy,
  buyForAll,
  countStock,
  createSaleFixture,
  makeOverdue,
  readStates,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { closeRedis } from '@/lib/redis/client';
import { verifySale } from '@/lib/verify/verify-sale';
import { inngestProgram, startInngestServer } from '../../scripts/infra/inngest-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { stopChild } from '../../scripts/infra/processes.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { refuseOrders } from './testing/refuse-orders';
import { runFunctions } from './testing/run-functions';

const program = inngestProgram();
/** Long enough for a run that the server calls again, 15 s, 30 s, 1 and 2 min apart and some more at random. */
const GIVEN_UP = { timeout: 420_000, interval: 1_000 };
const SOON = { timeout: 60_000, interval: 100 };
/** The sweep runs once a minute. */
const SWEPT = { timeout: 150_000, interval: 500 };

const dir = mkdtempSync(join(tmpdir(), 'seckill-inngest-'));
const reaper = startReaper(dir);
let launch: () => void;
let halt: (signal: NodeJS.Signals) => Promise<unknown>;
let stopFunctions: (() => Promise<void>) | undefined;

/** Starts the server; `launch` starts it again where it was, with what it wrote. */
async function serve(appOrigin: string) {
  const port = await anyFreePort();
  const { INNGEST_EVENT_KEY: eventKey = '', INNGEST_SIGNING_KEY: signingKey = '' } = process.env;
  let child: ReturnType<typeof startInngestServer> | undefined;
  launch = () => {
    const logFile = join(dir, 'inngest.log');
    child = startInngestServer(program ?? '', { dir, port, appOrigin, eventKey, signingKey, logFile });
    reaper.watch(child.pid);
  };
  halt = async (signal) => child && stopChild(child, { signal, graceMs: 20_000 });
  launch();
  return { url: `http://127.0.0.1:${port}`, stop: async () => void (await halt('SIGTERM')) };
}

beforeAll(async () => {
  // Says that another Inngest runs the functions.
  delete process.env.EXECUTOR_PORT;
  if (program) stopFunctions = await runFunctions(serve);
});
afterAll(async () => {
  await stopFunctions?.();
  await closeRedis();
  await closeDb();
  reaper.dismiss();
  rmSync(dir, { recursive: true, force: true });
});

const states = async ({ saleId }: SaleFixture) =>
  [...(await readStates(saleId)).values()].map(
    ({ status, isSettled }) => `${status}${isSettled ? ', settled' : ''}`,
  );
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

async function expectKept({ saleId }: SaleFixture): Promise<void> {
  const verified = await verifySale(saleId, { settleMs: 1_000 });
  expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
}

describe.skipIf(!program)('the functions on the Inngest server of INNGEST_BIN', () => {
  it('[E1 I1 C6 C7] create orders, count them as sold, and release by its timer what nobody paid', async () => {
    const sale = await createSaleFixture({ total: 150, users: 150, paymentWindowSec: 20 });
    const orders = await buyForAll(sale);
    await expect.poll(async () => (await states(sale)).length, SOON).toBe(150);
    for (const { orderNo } of orders.slice(0, 50)) expect(await payFor(orderNo)).toBe('applied');
    await expect
      .poll(() => countStock(sale.saleId), SOON)
      .toEqual({ redis: { available: 100, held: 0, sold: 50 }, postgres: { held: 0, sold: 50 } });
    await expectKept(sale);
  });

  it('[E7] sweep finds what no timer named', async () => {
    const sale = await createSaleFixture({ total: 3, users: 3 });
    const orders = await buyForAll(sale);
    await expect.poll(() => states(sale), SOON).toEqual(times(3, 'pending_payment'));
    await makeOverdue(
      orders.map(({ orderNo }) => orderNo),
      300,
    );
    await expect.poll(() => states(sale), SWEPT).toEqual(times(3, 'cancelled, settled'));
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 3, held: 0, sold: 0 });
  });

  it('[I10] late money takes its unit if it is free, and goes back if it is not', async () => {
    const sale = await createSaleFixture({ total: 2, users: 3, paymentWindowSec: 5 });
    const [first, second] = await buyForAll(sale, 2);
    await expect.poll(() => states(sale), SOON).toEqual(times(2, 'cancelled, settled'));
    await buy(sale, sale.userIds[2] ?? '');
    for (const order of [first, second]) expect(await payFor(order?.orderNo ?? '')).toBe('late');
    const statuses = async () => {
      const rows = await db().payment.findMany({ where: { order: { saleId: sale.saleId } } });
      return rows.map(({ status }) => status).sort();
    };
    await expect.poll(statuses, SWEPT).toEqual(['pending', 'refunded', 'succeeded']);
    await expectKept(sale);
  });

  /** Buys for 150 users in some five seconds, and restarts the server in the middle of it. */
  async function buyAcrossRestart(sale: SaleFixture, signal: NodeJS.Signals): Promise<void> {
    const restarted = delay(2_000)
      .then(() => halt(signal))
      .then(() => delay(500))
      .then(launch);
    for (const userId of sale.userIds) await buy(sale, userId).then(() => delay(30));
    await restarted;
    await expect.poll(async () => (await readOutboxDepth(sale.saleId)).depth, SOON).toBe(0);
  }

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    '[E2 E3] ended by %s in mid-sale it forgets what it had just taken, and reconciliation sends that again',
    async (signal) => {
      const sale = await createSaleFixture({ total: 150, users: 150 });
      await buyAcrossRestart(sale, signal);
      const missing = async () => 150 - (await states(sale)).length;
      await delay(5_000);
      console.info(`${signal}: ${await missing()} of 150 orders forgotten`);
      const reconciled = async () => {
        await reconcileSale(sale.saleId, { cause: 'schedule', isRepairing: true, graceMs: 500 });
        return missing();
      };
      await expect.poll(reconciled, { timeout: 240_000, interval: 5_000 }).toBe(0);
      await expectKept(sale);
    },
    300_000,
  );

  it('[E5 I9] orders that the database refuses end as dead letters and give their units back', async () => {
    const sale = await createSaleFixture({ total: 3, users: 3 });
    await refuseOrders(sale.saleId);
    await buyForAll(sale);
    await expect.poll(() => states(sale), GIVEN_UP).toEqual(times(3, 'failed, settled'));
    await expect
      .poll(async () => (await countStock(sale.saleId)).redis, SOON)
      .toEqual({ available: 3, held: 0, sold: 0 });
    expect(await db().deadLetter.count({ where: { saleId: sale.saleId } })).toBe(3);
  }, 600_000);
});
