import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { configureStock } from '@/lib/stock/configure-stock';
import { bestOf } from '@/test/support/best-of';
import { eventually } from '@/test/support/eventually';
import { createWebServer } from './create-server';
import { countStreams } from './events-registry';
import { type EventReader, readEvents } from './testing/event-reader';

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
  it('[A3] has the gate go out at the start by the clock that decides, within 250 ms', async () => {
    const goOut = async () => {
      const { saleId, epoch, gate } = await createSaleFixture();
      const startsAt = Date.now() + 1_500;
      await configureStock({ saleId, epoch, startsAt });
      const reader = await follow({ saleId });
      expect(reader.states()).toMatchObject([{ status: 'scheduled', gate: null }]);
      await untilLast(reader, { status: 'live', gate });
      const lateMs = Number(reader.states().at(-1)?.serverTime) - startsAt;
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(reader.text()).not.toMatch(/"scheduled"[^}]*\}[^}]*"gate":"/);
      reader.socket.destroy();
      return lateMs;
    };
    expect(await bestOf(250, goOut)).toBeLessThan(250);
  });
});
