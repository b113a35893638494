import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createWebServer } from './create-server';
import { tokenFor } from './testing/send-purchase';

let sale: SaleFixture;
const { server } = createWebServer({
  next: async ({ url }, response) => {
    response.end(`next ${url}`);
  },
  hasFastPath: true,
  commonHeaders: ['x-common', 'yes'],
});

beforeAll(async () => {
  sale = await createSaleFixture({ total: 10, limit: 10, users: 1 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await Promise.all([closeRedis(), closeDb()]);
});

/** Sends bytes and returns all that comes back until the server closes; the bytes include `Connection: close`. */
async function exchange(first: string, then?: { after: RegExp; send: string }): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  let isSent = false;
  socket.on('data', (chunk) => {
    text += chunk;
    if (then && !isSent && then.after.test(text)) {
      isSent = true;
      socket.write(then.send);
    }
  });
  socket.write(first);
  await once(socket, 'close');
  return text;
}

const requestLine = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nhost: x\r\n`;
const path = () => `/api/sales/${sale.saleId}/purchase/${sale.gate}`;
const state = () => `/api/sales/${sale.saleId}/state`;
const token = () => tokenFor(sale.saleId, sale.userIds[0] ?? '');

describe('odd requests', () => {
  it.each(['TRACE', 'PROPFIND', 'PURGE', 'SEARCH'])('[L3] %s: 405 with Allow', async (method) => {
    for (const target of [path(), state(), '/', '/api/nothing']) {
      const answer = await exchange(`${requestLine(method, target)}connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n/);
      expect(answer).toContain('\r\nallow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r\n');
      expect(answer).toContain('\r\nx-common: yes\r\n');
      expect(answer).toContain('"code":"METHOD_NOT_ALLOWED"');
    }
  });

  it.each(['/%', '/%zz', '/api/sales/%', '/api/sales/%ff/state', '/sales/%E0%A4%A', '/sales/%ED%A0%80'])(
    '[L3] an address that nothing can decode (%s): 400',
    async (target) => {
      for (const method of ['GET', 'POST']) {
        const answer = await exchange(`${requestLine(method, target)}connection: close\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
        expect(answer).toContain('"code":"MALFORMED"');
      }
      const lenient = await exchange(`${requestLine('GET', '/a%C3%A9?b=%ff')}connection: close\r\n\r\n`);
      expect(lenient).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '[L3] %s for a page: 405 with what it serves',
    async (method) => {
      for (const target of ['/', '/sales/x', '/livez', '/apis', '/_next/static/x.js']) {
        const answer = await exchange(`${requestLine(method, target)}connection: close\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n/);
        expect(answer).toContain('\r\nallow: GET, HEAD, OPTIONS\r\n');
        expect(answer).toContain('"code":"METHOD_NOT_ALLOWED"');
      }
      for (const target of ['/api', '/api/x', '/api?x']) {
        const answer = await exchange(`${requestLine(method, target)}connection: close\r\n\r\n`);
        expect(answer, target).toMatch(/\r\n\r\nnext \S+$/);
      }
    },
  );

  it('[L3] OPTIONS for a page and for the whole server say what is served', async () => {
    const ask = (target: string) => exchange(`${requestLine('OPTIONS', target)}connection: close\r\n\r\n`);
    const page = await ask('/');
    expect(page).toMatch(/^HTTP\/1.1 204 No Content\r\n[\s\S]*allow: GET, HEAD, OPTIONS\r\n/);
    expect(page).not.toMatch(/content-length/i);
    expect(await ask('*')).toMatch(/^HTTP\/1.1 204 No Content\r\n[\s\S]*allow: DELETE, GET, HEAD, OPTIONS, /);
  });

  it('[L3] a target with this host in it means the same as without, one with another host nothing', async () => {
    const ask = (target: string) => exchange(`${requestLine('GET', target)}connection: close\r\n\r\n`);
    expect(await ask(`http://X${state()}`)).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*"status":"live"/);
    expect(await ask('https://x')).toMatch(/\r\n\r\nnext \/$/);
    for (const target of [
      `http://evil.example${state()}`,
      'http://x.evil.example/',
      'ftp://x/',
      'x/y',
      '?',
    ]) {
      expect(await ask(target), target).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    }
  });

  it('[I2 P12] a slash at the end redirects no program: a callback is taken, all else is not found', async () => {
    const ask = (method: string, target: string, more = '') =>
      exchange(`${requestLine(method, target)}${more}connection: close\r\n\r\n`);
    const webhook = '/api/payments/webhooks/sandbox';
    for (const [target, asked] of [
      [`${webhook}/`, webhook],
      [`${webhook}/?x=1`, `${webhook}?x=1`],
      [`http://x${webhook}/`, webhook],
      ['/api/sales?q=/', '/api/sales?q=/'],
    ] as const)
      expect((await ask('POST', target)).split('\r\n\r\n')[1], target).toBe(`next ${asked}`);
    for (const target of [
      `${path()}/`,
      `${state()}/`,
      '/api/',
      '/api/orders/1/pay/?x',
      `${webhook}//`,
      '/api/payments/webhooks/sand\\box',
    ])
      for (const method of ['GET', 'POST'])
        expect(await ask(method, target), `${method} ${target}`).toMatch(
          /^HTTP\/1.1 404 Not Found\r\n[\s\S]*"code":"NOT_FOUND"/,
        );
  });

  it('[L3] two hosts: 400, and the connection ends', async () => {
    for (const target of [state(), '/', '/api/x']) {
      const answer = await exchange(`${requestLine('GET', target)}Host: y\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
      expect(answer).toContain('"code":"MALFORMED"');
    }
  });

  it('[L3] CONNECT: 405, and the connection ends', async () => {
    for (const target of ['example.com:443', '/', '127.0.0.1:5432']) {
      const answer = await exchange(`${requestLine('CONNECT', target)}\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 405 Method Not Allowed\r\n/);
      const { code, status } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
      expect({ code, status }).toEqual({ code: 'METHOD_NOT_ALLOWED', status: 405 });
    }
  });

  it('[L3] Expect: 100-continue is told to go on, and buys; other expectations get 417', async () => {
    const body = '{"quantity":1}';
    const head = (expectation: string) =>
      `${requestLine('POST', path())}expect: ${expectation}\r\nx-entry-token: ${token()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
    const bought = await exchange(head('100-continue'), { after: /^HTTP\/1.1 100 /, send: body });
    expect(bought).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 202 Accepted\r\n/);
    expect(await exchange(head('a miracle'))).toMatch(/^HTTP\/1.1 417 /);
  });

  it.each(['websocket', 'h2c', 'TLS/1.0'])(
    '[L3] an offer to upgrade to %s is left aside: answered as ever',
    async (protocol) => {
      const offer = `connection: Upgrade, close\r\nupgrade: ${protocol}\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n`;
      expect(await exchange(`${requestLine('GET', state())}${offer}\r\n`)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(await exchange(`${requestLine('GET', '/x?y')}${offer}\r\n`)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      const bought = await exchange(
        `${requestLine('POST', path())}${offer}x-entry-token: ${token()}\r\ncontent-length: 0\r\n\r\n`,
      );
      expect(bought).toMatch(/^HTTP\/1.1 202 Accepted\r\n/);
    },
  );
});
