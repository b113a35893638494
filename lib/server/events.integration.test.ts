import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { closeDb } from '@/lib/db/client';
import { buy, createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findState } from '@/lib/sale/read-state';
import { closeStock } from '@/lib/stock/close-stock';
import { configureStock } from '@/lib/stock/configure-stock';
import { restock } from '@/lib/stock/restock';
import { eventually } from '@/test/support/eventually';
import { createWebServer } from './create-server';
import { addStream, countStreams } from './events-registry';
import { SocketSink } from './open-events';
import { type EventReader, readEvents } from './testing/event-reader';
import { rawGet } from './testing/raw-get';
import { socketPair } from './testing/socket-pair';

const LIMITS = { perProcess: 4, perClient: 3 };
const web = createWebServer({
  next: async (_request, response) => {
    response.writeHead(404, { 'content-length': '0' });
    response.end();
  },
  hasFastPath: true,
  commonHeaders: ['x-common', 'yes'],
  streamLimits: LIMITS,
});
let port = 0;

beforeAll(async () => {
  web.server.listen(0, '127.0.0.1');
  await once(web.server, 'listening');
  port = (web.server.address() as AddressInfo).port;
});
afterAll(async () => {
  web.server.closeAllConnections();
  web.server.close();
  await once(web.server, 'close');
  await Promise.all([closeRedis(), closeDb()]);
});

const statuses = (reader: EventReader) => reader.states().map(({ status }) => status);
const untilLast = (reader: EventReader, expected: Record<string, unknown>) =>
  eventually(() => expect(reader.states().at(-1)).toMatchObject(expected), 5);
const untilGone = () => eventually(() => expect(countStreams().all).toBe(0), 5);

const readers: EventReader[] = [];
async function follow({ saleId }: Pick<SaleFixture, 'saleId'>): Promise<EventReader> {
  const reader = await readEvents(port, saleId);
  readers.push(reader);
  return reader;
}
afterEach(async () => {
  for (const { socket } of readers.splice(0)) socket.destroy();
  await untilGone();
});

describe('GET /api/sales/:saleId/events', () => {
  it('[A3] says at once what the state endpoint says, and how long to wait before coming back', async () => {
    const { saleId } = await createSaleFixture();
    const asked = JSON.parse(
      (await rawGet(`http://127.0.0.1:${port}/api/sales/${saleId}/state`)).body.toString(),
    ) as SaleState;
    const reader = await follow({ saleId });
    const [head = '', body = ''] = reader.text().split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    for (const header of [
      'content-type: text/event-stream',
      'cache-control: no-store, no-transform',
      'x-accel-buffering: no',
      'x-common: yes',
      'connection: close',
    ]) {
      expect(head).toContain(header);
    }
    const retryMs = Number(/^retry: (\d+)\n/.exec(body)?.[1]);
    expect(retryMs).toBeGreaterThanOrEqual(500);
    expect(retryMs).toBeLessThanOrEqual(3_000);
    expect(reader.states()).toEqual([{ ...asked, serverTime: expect.any(Number) }]);
    expect(Number(reader.states()[0]?.serverTime)).toBeGreaterThanOrEqual(asked.serverTime);
  });

  it('[A3 A4] tells of pause and resumption, of stock that runs out and returns, and of the end', async () => {
    const sale = await createSaleFixture({ total: 1, users: 2 });
    const { saleId, epoch, userIds } = sale;
    const reader = await follow(sale);
    await configureStock({ saleId, epoch, paused: true });
    await untilLast(reader, { status: 'paused', gate: null });
    await configureStock({ saleId, epoch, paused: false });
    await untilLast(reader, { status: 'live', gate: sale.gate });
    // Purchases by other processes are not announced: the feed finds them when it reads the sale.
    await buy(sale, userIds[0] ?? '');
    await untilLast(reader, { status: 'sold_out', stock: { total: 1, available: 0 } });
    await restock({ saleId, epoch, delta: 1, requestId: 'more' });
    await untilLast(reader, { status: 'live', stock: { total: 2, available: 1 } });
    await closeStock({ saleId, epoch });
    await untilLast(reader, { status: 'ended' });
    expect(statuses(reader)).toEqual(['live', 'paused', 'live', 'sold_out', 'live', 'ended']);
  });

  it('[A3] tells what is left at most once a second', async () => {
    const sale = await createSaleFixture({ total: 1_000_000 });
    const reader = await follow(sale);
    const from = performance.now();
    let left = 1_000_000;
    for (; performance.now() - from < 2_500; left -= 1) await buy(sale, `user_${left}`);
    await untilLast(reader, { stock: { total: 1_000_000, available: left } });
    const told = reader.states().map(({ stock }) => (stock as SaleState['stock']).available);
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(told.length).toBeLessThanOrEqual(2 + (performance.now() - from) / 1_000);
  });

  it('[A3 B3] looks at Redis ten times a second, however many read', async () => {
    const { saleId } = await createSaleFixture();
    for (let n = 0; n < LIMITS.perClient; n += 1) await follow({ saleId });
    const looks = async () =>
      Number(/cmdstat_hmget:calls=(\d+)/.exec(await stockRedis().info('commandstats'))?.[1] ?? 0);
    const [before, from] = [await looks(), performance.now()];
    await eventually(async () => expect(await looks()).toBeGreaterThan(before + 8), 20);
    expect((await looks()) - before).toBeLessThanOrEqual(2 + (performance.now() - from) / 100);
  });

  it('[B4 A3] answers unknown sales with 404 and follows nothing', async () => {
    for (const saleId of ['sale_nowhere', 'x'.repeat(300)]) {
      const { status, body } = await rawGet(`http://127.0.0.1:${port}/api/sales/${saleId}/events`);
      expect({ status, code: JSON.parse(body.toString()).code }).toEqual({
        status: 404,
        code: 'SALE_NOT_FOUND',
      });
    }
    expect(countStreams().all).toBe(0);
  });

  it('[A3 A6] lets in only so many of one client, and only so many; the others are told when to come back', async () => {
    const { saleId } = await createSaleFixture();
    const refused = async (origin: string) => {
      const { status, headers, body } = await rawGet(`${origin}/api/sales/${saleId}/events`);
      expect({ status, code: JSON.parse(body.toString()).code }).toEqual({
        status: 503,
        code: 'UNAVAILABLE',
      });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(5);
    };
    const origin = `http://127.0.0.1:${port}`;
    for (let n = 0; n < LIMITS.perClient; n += 1) expect((await follow({ saleId })).status()).toBe(200);
    await refused(origin);

    // One of this client's readers goes and other clients fill the process: now this client's own limit would allow
    // one more, but the process has no room.
    readers[0]?.socket.destroy();
    await eventually(() => expect(countStreams('127.0.0.1')).toEqual({ all: 2, ofClient: 2 }));
    const result = await findState(saleId);
    if (result.status !== 'found') throw new Error(result.status);
    const others = [(await socketPair())[0], (await socketPair())[0]];
    for (const other of others) addStream(result.state, new SocketSink(other), '10.0.0.1');
    expect(countStreams('10.0.0.1')).toEqual({ all: LIMITS.perProcess, ofClient: 2 });
    await refused(origin);
    for (const other of others) other.destroy();
    await eventually(() => expect(countStreams().all).toBe(2));
    expect((await follow({ saleId })).status()).toBe(200);
  });

  it('[A3] leaves half the room to those whose sale starts within a minute, or runs', async () => {
    const { saleId, epoch } = await createSaleFixture();
    const startsAt = Date.now() + 3_500_000;
    await configureStock({ saleId, epoch, startsAt, endsAt: startsAt + 1_000 });
    for (let n = 0; n < LIMITS.perProcess / 2; n += 1) expect((await follow({ saleId })).status()).toBe(200);
    expect((await rawGet(`http://127.0.0.1:${port}/api/sales/${saleId}/events`)).status).toBe(503);
    await configureStock({ saleId, epoch, startsAt: Date.now() + 50_000 });
    expect((await follow({ saleId })).status()).toBe(200);
  });

  it('[A3] tells of a pause long before the start, and of a start that moves', async () => {
    const { saleId, epoch } = await createSaleFixture();
    const startsAt = Date.now() + 3_500_000;
    await configureStock({ saleId, epoch, startsAt, endsAt: startsAt + 1_000 });
    const reader = await follow({ saleId });
    await untilLast(reader, { status: 'scheduled', paused: false, startsAt });
    await configureStock({ saleId, epoch, paused: true });
    await untilLast(reader, { status: 'scheduled', paused: true });
    await configureStock({ saleId, epoch, paused: false, startsAt: startsAt - 1_000 });
    await untilLast(reader, { status: 'scheduled', paused: false, startsAt: startsAt - 1_000 });
  });

  it('[A3] cuts off who sends anything more, so that no second answer can get between the events', async () => {
    const { saleId } = await createSaleFixture();
    const reader = await readEvents(port, saleId);
    reader.socket.write(`GET /api/sales/${saleId}/state HTTP/1.1\r\nhost: x\r\n\r\n`);
    await reader.ended;
    expect(reader.text().match(/HTTP\/1\.1/g)).toHaveLength(1);
    await untilGone();
  });

  it('[A3 E10] ends at once for who does not read, so that a process that ends waits for nobody', async () => {
    const [near, far] = await socketPair();
    const sink = new SocketSink(near);
    const much = Buffer.alloc(4 * 1024 * 1024);
    expect(sink.send(much)).toBe(true);
    expect(sink.send(much)).toBe(false);
    sink.end();
    await once(near, 'close');
    far.destroy();
  });

  it('[A7] ends when the sale can no longer be read, instead of going on as if nothing could change', async () => {
    const { saleId } = await createSaleFixture();
    const reader = await readEvents(port, saleId);
    await stockRedis().set(keys.sale(saleId), 'broken');
    await reader.ended;
    expect(countStreams().all).toBe(0);
  });
});
