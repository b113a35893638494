import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSaleFixture, type SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { createWebServer } from './create-server';
import { tokenFor } from './testing/send-purchase';

const REQUESTS = 20_000;
const CONNECTIONS = 20;
const SEED = 20_261_120;

/** mulberry32: the same requests at every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

let sale: SaleFixture;
let port = 0;
let tokens: string[] = [];
const web = createWebServer({
  next: async (request, response) => {
    request.resume();
    response.writeHead(404, { 'content-length': '0' });
    response.end();
  },
  hasFastLane: true,
  commonHeaders: [],
});

beforeAll(async () => {
  sale = await createSaleFixture({ total: 10, users: 30 });
  const other = await createSaleFixture({ total: 5, users: 1 });
  tokens = [
    ...sale.userIds.map((userId) => tokenFor(sale.saleId, userId)),
    tokenFor(sale.saleId, sale.userIds[0] ?? '', Date.now() - 1),
    tokenFor(other.saleId, other.userIds[0] ?? ''),
    '',
    '.',
    'x'.repeat(2_000),
    'a, b',
  ];
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  port = (web.server.address() as AddressInfo).port;
});
afterAll(async () => {
  web.server.closeAllConnections();
  await new Promise((resolve) => web.server.close(resolve));
  await Promise.all([closeRedis(), closeDb()]);
});

function makeRequest(next: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const noise = () =>
    Array.from({ length: Math.floor(next() * 12) }, () => pick([...'aZ0_-%/.?#&=;:é~ '])).join('');
  const saleId = pick([
    sale.saleId,
    sale.saleId,
    sale.saleId,
    'sale_nowhere',
    '',
    '%2e%2e',
    encodeURIComponent(noise()),
  ]);
  const gate = pick([
    sale.gate,
    sale.gate,
    'x',
    '%00',
    'a%2Fb',
    encodeURIComponent(noise()),
    'x'.repeat(300),
  ]);
  const target = pick([
    `/api/sales/${saleId}/purchase/${gate}`,
    `/api/sales/${saleId}/purchase/${gate}`,
    `/api/sales/${saleId}/purchase/${gate}`,
    `/api/sales/${saleId}/state`,
    `/api/sales/${saleId}/state?clock=${encodeURIComponent(noise())}`,
    `/api/orders/${pick(['1', '9223372036854775807', '99999999999999999999', '-1', '0', '1e3', '%31', saleId])}`,
    `/${encodeURI(noise()).replaceAll(' ', '%20')}`,
    `//api/sales/${saleId}/state`,
    `/${'x'.repeat(3_000)}`,
  ]);
  const method = pick(['POST', 'POST', 'POST', 'GET', 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);
  const body = pick([
    ...['', '', '', '{}', '{"quantity":1}', '{"quantity":0}', '{"quantity":-1}', '{"quantity":1.5}'],
    ...[
      '{"quantity":1e9}',
      '{"quantity":"NaN"}',
      '{"quantity":',
      '[]',
      'null',
      '\0',
      'x'.repeat(1_500),
      noise(),
    ],
  ]);
  const token = pick([...tokens, undefined, noise().replaceAll('é', 'e')]);
  const headers = [
    'host: localhost',
    ...(token === undefined ? [] : [`x-entry-token: ${token}`]),
    ...(next() < 0.05 ? [`x-entry-token: ${pick(tokens)}`] : []),
    ...(next() < 0.05 ? ['x-seckill-lane: guess'] : []),
  ];
  if (next() < 0.1) {
    const length = Buffer.byteLength(body).toString(16);
    const chunks = body === '' ? '' : `${length}\r\n${body}\r\n`;
    return `${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
  }
  return `${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Sends one request over a connection of its own or a kept one; the statuses answered, 0 for a closed connection. */
function exchange(request: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    const timer = setTimeout(() => {
      socket.destroy();
      resolve({ status: -1, text: `no answer to ${request.slice(0, 300)}` });
    }, 5_000);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    });
    socket.write(request.replace('\r\n', '\r\nconnection: close\r\n'));
  });
}

describe('the fast lane', () => {
  it(`[A6 F2] answers ${REQUESTS} random requests, none with 500 and none never`, async () => {
    const next = random(SEED);
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    let left = REQUESTS;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        const request = makeRequest(next);
        const { status, text } = await exchange(request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status <= 0 || status === 500)
          wrong.push(`${status}: ${request.slice(0, 300)} -> ${text.slice(0, 300)}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    expect(wrong.slice(0, 5)).toEqual([]);
    // The mixture must reach the interesting places, or it proves little.
    for (const status of [200, 202, 400, 401, 403, 404, 409, 413, 414, 422]) {
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
    }
  }, 600_000);

  it('[A6] closes the connection on what is no HTTP', async () => {
    const next = random(SEED + 1);
    for (let n = 0; n < 300; n += 1) {
      const bytes = Array.from({ length: 1 + Math.floor(next() * 200) }, () => Math.floor(next() * 256));
      const { status } = await exchange(`${Buffer.from(bytes).toString('latin1')}\r\n\r\n`);
      expect([0, 400, 404, 431]).toContain(status);
    }
    expect((await exchange(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`)).status).toBe(
      431,
    );
  });
});

describe('limits', () => {
  it('[A6] has a time limit for slow clients', () => {
    expect(web.server.headersTimeout).toBeLessThanOrEqual(10_000);
    expect(web.server.requestTimeout).toBeLessThanOrEqual(30_000);
    expect(createServer().requestTimeout).toBeGreaterThan(web.server.requestTimeout);
  });
});
