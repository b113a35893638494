import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CHECK_IDS } from '@/lib/contract/words/preflight';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { createPublisher } from '@/lib/metrics/publish-figures';
import { cacheRedis, closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { anyFreePort } from '@/scripts/infra/ports.mjs';
import { makeDraft, makeSale, makeUser } from '@/test/support/make-sale';
import { publishChecked } from './publish-checked';
import { runPreflight } from './run-preflight';
import { giveWorkerSign } from './worker-sign';

/** Answers at the executor's port that it knows this many functions. */
let executor: Server | undefined;
async function startExecutor(functions: number): Promise<void> {
  executor = createServer((_, response) => response.end(JSON.stringify({ functions })));
  await new Promise<void>((resolve) => executor?.listen(env().executorPort, '127.0.0.1', resolve));
}
const stopExecutor = () =>
  new Promise<void>((resolve) => {
    executor?.closeAllConnections();
    if (executor) executor.close(() => resolve());
    else resolve();
    executor = undefined;
  });

beforeAll(async () => {
  process.env.EXECUTOR_PORT = String(await anyFreePort());
  process.env.INNGEST_BASE_URL = `http://127.0.0.1:${process.env.EXECUTOR_PORT}`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stopExecutor();
  await stockRedis().del(keys.workerSign());
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const statusOf = async (saleId: string) =>
  (await db().sale.findUniqueOrThrow({ where: { id: saleId } })).status;
const wrongWith = async (saleId: string) =>
  ((await runPreflight(await makeUser('admin'), saleId))?.checks ?? []).flatMap(
    ({ id, ok, reason, severity }) => (ok ? [] : [`${severity} ${id} ${reason}`]),
  );

describe('before publishing', () => {
  it('[L3] everything is looked at; a sale that can be sold is published', async () => {
    await Promise.all([startExecutor(3), giveWorkerSign()]);
    const now = Date.now();
    const { sale, merchant } = await makeDraft({ startsAt: now + 60_000, endsAt: now + 120_000 });
    const preflight = await runPreflight(merchant, sale.saleId);
    expect(preflight?.checks.map(({ id }) => id).sort()).toEqual([...CHECK_IDS].sort());
    expect(preflight?.ok).toBe(true);
    // This test serves no pages.
    expect(await wrongWith(sale.saleId)).toEqual(['warn page missing']);
    expect(await publishChecked(merchant, sale.saleId)).toMatchObject({ status: 'changed' });
    expect(preflight?.checks.find(({ id }) => id === 'stock')).toMatchObject({ ok: true });
    await stockRedis().del(keys.sale(sale.saleId));
    expect(await wrongWith(sale.saleId)).toContain('warn stock not_loaded');
  });

  it('[L3] refused without an executor, with the reason; the draft stays one', async () => {
    const { sale, merchant } = await makeDraft();
    const refused = await publishChecked(merchant, sale.saleId);
    expect(refused).toMatchObject({
      status: 'not_ready',
      checks: [{ id: 'executor', reason: 'down', severity: 'stop', ok: false }],
    });
    expect(await statusOf(sale.saleId)).toBe('draft');
    expect((await runPreflight(merchant, sale.saleId))?.ok).toBe(false);
    // An executor that is only just starting is there, if slow.
    await startExecutor(0);
    expect(await publishChecked(merchant, sale.saleId)).toMatchObject({ status: 'changed' });
    await stopExecutor();
    // Publishing a published sale warms it up again, whatever is missing.
    expect(await publishChecked(merchant, sale.saleId)).toMatchObject({ status: 'changed' });
  });

  it('[L3] a worker that was there and is silent forbids it; one that was never seen, or has a minute to start, does not', async () => {
    await startExecutor(3);
    const { sale, merchant } = await makeDraft();
    const silentFor = async (sec: number) => {
      const [now] = await stockRedis().time();
      await stockRedis().set(keys.workerSign(), Number(now) - sec);
    };
    expect(await wrongWith(sale.saleId)).toContain('warn worker never_seen');
    vi.spyOn(process, 'uptime').mockReturnValue(59);
    await silentFor(61);
    expect(await wrongWith(sale.saleId)).toContain('warn worker silent');
    vi.spyOn(process, 'uptime').mockReturnValue(3_600);
    expect(await publishChecked(merchant, sale.saleId)).toMatchObject({
      status: 'not_ready',
      checks: [{ id: 'worker', reason: 'silent' }],
    });
    await silentFor(20);
    expect(await publishChecked(merchant, sale.saleId)).toMatchObject({ status: 'changed' });
  });

  it('[L3] a Redis that takes no writes forbids it where Redis decides', async () => {
    await startExecutor(3);
    const [script, database] = await Promise.all([makeDraft(), makeDraft({ strategy: 'database' })]);
    stockRedis().disconnect();
    expect(await publishChecked(script.merchant, script.sale.saleId)).toMatchObject({
      status: 'not_ready',
      checks: [{ id: 'redis', reason: 'unreachable' }],
    });
    expect(await wrongWith(database.sale.saleId)).toContain('warn redis unreachable');
    expect(await statusOf(script.sale.saleId)).toBe('draft');
    await stockRedis().connect();
  });

  it('[L3] clocks that are surely far apart forbid it', async () => {
    await startExecutor(3);
    const { sale } = await makeDraft();
    expect(await wrongWith(sale.saleId)).not.toContainEqual(expect.stringContaining('clock'));
    const real = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => real() - 20_000);
    expect(await wrongWith(sale.saleId)).toContain('stop clock apart');
  });

  it('[L3 M10] a running process that can’t sell a split sale forbids to publish one, and no other sale', async () => {
    await startExecutor(3);
    const say = (at: number, capabilities?: string[]) =>
      cacheRedis().hset(
        keys.processFigures(),
        'elsewhere/7-old',
        JSON.stringify({ id: '7-old', host: 'elsewhere', role: 'worker', at, capabilities, samples: [] }),
      );
    const [split, whole] = await Promise.all([makeDraft({ slices: 2 }), makeDraft()]);
    await createPublisher('web')();
    expect(await wrongWith(split.sale.saleId)).not.toContainEqual(expect.stringContaining('release'));
    // It says nothing of what it can do, as the release before slices; or not this.
    for (const capabilities of [undefined, [], ['others']]) {
      await say(Date.now() - 10_000, capabilities);
      expect(await publishChecked(split.merchant, split.sale.saleId)).toMatchObject({
        status: 'not_ready',
        checks: [
          {
            id: 'release',
            reason: 'old',
            severity: 'stop',
            values: { processes: 1 },
            detail: expect.stringContaining('worker elsewhere/7-old'),
          },
        ],
      });
    }
    expect(await statusOf(split.sale.saleId)).toBe('draft');
    expect(await publishChecked(whole.merchant, whole.sale.saleId)).toMatchObject({ status: 'changed' });
    await cacheRedis().set(keys.processFigures(), 'in the way');
    expect(await wrongWith(split.sale.saleId)).toContain('stop release unknown');
    await cacheRedis().del(keys.processFigures());
    // It has ended.
    await say(Date.now() - 16_000);
    expect(await publishChecked(split.merchant, split.sale.saleId)).toMatchObject({ status: 'changed' });
    await cacheRedis().del(keys.processFigures());
  });

  it('[L4] another merchant’s sale is not there', async () => {
    const { sale } = await makeDraft();
    const stranger = await makeUser('merchant');
    expect(await runPreflight(stranger, sale.saleId)).toBeNull();
    expect(await publishChecked(stranger, sale.saleId)).toEqual({ status: 'not_found' });
    expect(await publishChecked(stranger, 'sale_none')).toEqual({ status: 'not_found' });
    const { sale: open } = await makeSale();
    expect(await runPreflight(stranger, open.saleId)).toBeNull();
  });
});
