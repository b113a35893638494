import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextRound, statesOf } from '@/lib/alert/admin/testing/rounds';
import { closeDb, db } from '@/lib/db/client';
import { readLive } from '@/lib/live/read-live';
import { countAttempt, flushAttempts } from '@/lib/metrics/attempts';
import { METRICS } from '@/lib/metrics/catalog';
import { countRequest } from '@/lib/metrics/http-meter';
import { createPublisher } from '@/lib/metrics/publish-figures';
import { readPublished } from '@/lib/metrics/read-published';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createOrders } from '@/lib/settlement/create-orders';
import { anyFreePort } from '@/scripts/infra/ports.mjs';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { serveMetrics } from './serve-metrics';

const RETRY_MS = 50;
let redis: StockRedis;

beforeAll(async () => {
  redis = await startStockRedis();
  process.env.REDIS_URL = redis.url;
});
afterAll(async () => {
  await closeRedis();
  await closeDb();
  await redis.stop();
});

async function read(port: number, path = '/metrics') {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** Returns the values of a metric whose labels include all of these. */
function valuesOf(text: string, name: string, ...labels: string[]): number[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => labels.every((label) => line.includes(label)))
    .map((line) => Number(line.slice(line.lastIndexOf(' '))));
}

describe('/metrics', () => {
  it('[J2] tells the stock, orders, attempts and queues of an open sale, and what each process counted', async () => {
    const stopping = new AbortController();
    const port = await anyFreePort();
    const serving = serveMetrics({ host: '127.0.0.1', port }, stopping.signal, RETRY_MS);
    const sale = await createSaleFixture({ users: 3, total: 10 });
    const orders = await buyForAll(sale);
    await createOrders({ saleId: sale.saleId, orders: orders.slice(0, 2) });
    countAttempt(sale.saleId, 'accepted');
    countAttempt(sale.saleId, 'soldOut');
    await flushAttempts();
    await recordDeadLetter({ consumer: 'points', messageId: '1', payload: {}, error: 'no' });
    for (let n = 0; n < 7; n += 1) countRequest('purchase', 409, 4);
    await createPublisher('web')();
    await expect.poll(() => read(port).catch(() => null)).not.toBeNull();

    const { status, type, text } = await read(port);
    expect(status).toBe(200);
    expect(type).toContain('text/plain; version=0.0.4');
    const label = `sale="${sale.saleId}"`;
    const tier = (name: string) => valuesOf(text, 'seckill_stock_units', label, `tier="${name}"`);
    expect([tier('available'), tier('held'), tier('sold')]).toEqual([[7], [3], [0]]);
    expect(valuesOf(text, 'seckill_orders', label, 'pending_payment')).toEqual([2]);
    expect(valuesOf(text, 'seckill_attempts_total', label, 'soldOut')).toEqual([1]);
    expect(valuesOf(text, 'seckill_outbox_depth', label)).toEqual([3]);
    expect(valuesOf(text, 'seckill_dead_letters', 'consumer="points"')).toEqual([1]);
    expect(valuesOf(text, 'seckill_store_up', 'redis')).toEqual([1]);
    expect(valuesOf(text, 'seckill_http_requests_total', 'status="409"', 'role="web"')).toEqual([7]);
    const within = valuesOf(text, 'seckill_http_duration_seconds_bucket', 'route="purchase"', 'le="0.005"');
    expect(within).toEqual([7]);
    expect(valuesOf(text, 'seckill_orders_written_total', 'role="web"')).toEqual([2]);
    // The admin area shows the same numbers.
    const admin = await readLive({ userId: 'user_admin', role: 'admin' }, sale.saleId, null);
    if (admin.status !== 'found') throw new Error(admin.status);
    const { stock, orders: ofAdmin, attempts, queue } = admin.live;
    for (const name of ['available', 'held', 'sold'] as const) expect(tier(name)).toEqual([stock?.[name]]);
    expect(valuesOf(text, 'seckill_orders', label, 'pending_payment')).toEqual([ofAdmin.pendingPayment]);
    for (const [outcome, count] of Object.entries(attempts))
      expect([outcome, ...valuesOf(text, 'seckill_attempts_total', label, `"${outcome}"`)]).toEqual([
        outcome,
        count,
      ]);
    expect(valuesOf(text, 'seckill_outbox_depth', label)).toEqual([queue.outbox]);
    for (const name of Object.keys(METRICS)) expect(text).toContain(`# TYPE ${name} `);
    expect((await read(port, '/')).status).toBe(404);
    stopping.abort();
    await serving;
    await expect(read(port)).rejects.toThrow();
  });

  it('[J2] a port that is taken stops nobody, and is had as soon as it is free', async () => {
    const stopping = new AbortController();
    const foreign = createServer((_request, response) => response.end('not ours'));
    const port = await anyFreePort();
    await new Promise<void>((resolve) => foreign.listen(port, '127.0.0.1', resolve));
    const serving = serveMetrics({ host: '127.0.0.1', port }, stopping.signal, RETRY_MS);
    expect((await read(port)).text).toBe('not ours');
    foreign.close();
    foreign.closeAllConnections();
    const served = async () =>
      (await read(port).catch(() => null))?.text.includes('# TYPE seckill_') ?? false;
    await expect.poll(served).toBe(true);
    stopping.abort();
    await serving;
  });

  it('[J2] a process that is silent for 20 s is left out and forgotten', async () => {
    const key = keys.processFigures();
    await createPublisher('next')();
    const silent = { id: '1-dead', host: 'elsewhere', role: 'web', at: Date.now() - 60_000, samples: [] };
    await cacheRedis().hset(key, 'elsewhere/1-dead', JSON.stringify(silent));
    expect((await readPublished()).map(({ id }) => id)).not.toContain('1-dead');
    expect(await cacheRedis().hexists(key, 'elsewhere/1-dead')).toBe(0);
  });

  it('[J1 J2] Redis away is said, alerted after 15 s, and what Postgres knows is still told', async () => {
    await nextRound();
    const stopping = new AbortController();
    const port = await anyFreePort();
    const serving = serveMetrics({ host: '127.0.0.1', port }, stopping.signal, RETRY_MS);
    await redis.kill();
    await expect.poll(() => read(port).catch(() => null)).not.toBeNull();
    const { text } = await read(port);
    expect(valuesOf(text, 'seckill_store_up', 'redis')).toEqual([0]);
    expect(valuesOf(text, 'seckill_store_up', 'postgres')).toEqual([1]);
    expect(valuesOf(text, 'seckill_dead_letters', 'consumer="points"')).toEqual([1]);
    expect(valuesOf(text, 'seckill_process_resident_bytes', 'role="worker"')).toHaveLength(1);
    // While Redis is away, alerts about values that only Redis knows neither begin nor end.
    const at = new Date();
    await db().alert.create({
      data: {
        rule: 'outbox_lag',
        subject: 'sale_x',
        state: 'firing',
        value: 20,
        peak: 20,
        threshold: 10,
        since: at,
        firedAt: at,
      },
    });
    await nextRound();
    expect(await statesOf('store_down', 'redis')).toEqual(['pending']);
    await nextRound(120);
    await nextRound(120);
    expect(await statesOf('store_down', 'redis')).toEqual(['firing']);
    expect(await statesOf('outbox_lag', 'sale_x')).toEqual(['firing']);
    stopping.abort();
    await serving;
    await redis.start();
    await expect
      .poll(() =>
        cacheRedis()
          .ping()
          .catch(() => null),
      )
      .toBe('PONG');
    await nextRound();
    await nextRound(61);
    expect(await statesOf('store_down', 'redis')).toEqual(['resolved']);
    expect(await statesOf('outbox_lag', 'sale_x')).toEqual(['resolved']);
  });
});
