import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { keepPublishing, publishNow } from '@/lib/purchase/testing/listed-now';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { tokenFor } from '@/lib/server/testing/send-purchase';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { configureStock } from '@/lib/stock/configure-stock';
import { eventually } from '@/test/support/eventually';
import { type EdgeClient, openClient } from './testing/open-client';
import { type Edge, PURCHASE_API, SHOP, STATIC_FILES, startEdge } from './testing/start-edge';

const nginx = inject('nginx');
let backend: FastPathProcess;
let breaker: Server;
let broken = 0;
let edge: Edge;
const clients: EdgeClient[] = [];

beforeAll(async () => {
  if (!nginx) return;
  // Accepts every request and breaks off, like a web process killed in the middle.
  breaker = createServer((request) => {
    broken += 1;
    request.socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(breaker, 'listening');
  const shop = { NEXTAUTH_URL: `https://${SHOP}`, PURCHASE_ORIGIN: `https://${PURCHASE_API}` };
  backend = await startFastPath({
    env: { TRUST_PROXY: '1', SECKILL_DEMO: '0', ALLOW_SANDBOX_PAYMENTS: '1', ...shop },
  });
  const { port } = breaker.address() as AddressInfo;
  edge = await startEdge(nginx, [`http://127.0.0.1:${port}`, backend.origin]);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await edge?.stop();
  backend?.child.kill('SIGKILL');
  breaker?.close();
  await Promise.all([closeRedis(), closeDb()]);
});

async function client(host?: string, seenByProxy?: string): Promise<EdgeClient> {
  const opened = await openClient(edge, { host, seenByProxy });
  clients.push(opened);
  return opened;
}

const stateOf = ({ saleId }: Pick<SaleFixture, 'saleId'>) => `/api/sales/${saleId}/state`;

async function buy(one: EdgeClient, { saleId, gate }: SaleFixture, token: string) {
  const headers = { 'x-entry-token': token };
  const answer = await one.ask(`/api/sales/${saleId}/purchase/${gate}`, { method: 'POST', headers });
  return { ...(JSON.parse(answer.body) as { orderNo?: string; replay?: boolean }), http: answer.status };
}

describe.skipIf(!nginx)('the edge before a web process', () => {
  it('[K3] a web process that breaks off in a purchase costs nobody anything: it is asked of another', async () => {
    const sale = await createSaleFixture({ total: 10, users: 6 });
    const one = await client();
    for (const userId of sale.userIds) {
      const token = tokenFor(sale.saleId, userId);
      const first = await buy(one, sale, token);
      expect(first).toMatchObject({ http: 202, replay: false });
      expect(await buy(one, sale, token)).toMatchObject({
        http: 202,
        orderNo: first.orderNo,
        replay: true,
      });
    }
    expect(broken).toBeGreaterThan(0);
  });

  it('[K3] speaks HTTP/2, and HTTP/1.1 to who asks for it; without TLS it points to itself', async () => {
    expect((await client()).protocol).toBe('h2');
    const { port, plainPort, certificate: ca } = edge;
    const options = { port, host: '127.0.0.1', servername: SHOP, ca, ALPNProtocols: ['http/1.1'] };
    const socket = connect(options);
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
    const plain = (host: string, path = '/sales/lamp?x=1') =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const asked = { host: '127.0.0.1', port: plainPort, path, headers: { host } };
        get(asked, (answer) => resolve(answer.resume())).once('error', reject);
      });
    const { statusCode, headers } = await plain(SHOP);
    expect([statusCode, headers.location]).toEqual([308, `https://${SHOP}/sales/lamp?x=1`]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    // A program gets a refusal, not a redirect.
    for (const path of ['/api/sales/x/purchase/y', '/api/auth/session', '/api/']) {
      const told = await plain(SHOP, path);
      expect([told.statusCode, told.headers.location], path).toEqual([403, undefined]);
    }
    // A request for another host name is not redirected to the shop.
    for (const host of ['evil.example', `${SHOP}.evil.example`, '127.0.0.1', 'localhost'])
      await expect(plain(host), host).rejects.toThrow();
  });

  it('[N8] speaks TLS 1.3, and 1.2 by ciphers with forward secrecy and authentication alone', async () => {
    const { port, certificate: ca } = edge;
    const agree = async (options: ConnectionOptions) => {
      const socket = connect({ port, host: '127.0.0.1', servername: SHOP, ca, ...options });
      try {
        await once(socket, 'secureConnect');
        return `${socket.getProtocol()} ${socket.getCipher().name}`;
      } catch {
        return 'refused';
      } finally {
        socket.destroy();
      }
    };
    expect(await agree({})).toMatch(/^TLSv1\.3 /);
    const old = { maxVersion: 'TLSv1.2' } as const;
    expect(await agree(old)).toMatch(/^TLSv1\.2 ECDHE-ECDSA-(?:AES\d+-GCM|CHACHA20)/);
    expect(await agree({ ...old, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' })).toMatch(/^TLSv1\.2 /);
    for (const ciphers of [
      'ECDHE-ECDSA-AES128-SHA256',
      'ECDHE-ECDSA-AES128-SHA',
      'ECDHE-ECDSA-AES256-SHA384',
    ])
      expect(await agree({ ...old, ciphers: `${ciphers}:@SECLEVEL=0` }), ciphers).toBe('refused');
    const ancient = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
    expect(await agree(ancient)).toBe('refused');
  });

  it('[N8] no name but ours reaches the application, and every answer keeps browsers on https', async () => {
    const { port, certificate: ca } = edge;
    const raw = async (head: string) => {
      const socket = connect({ port, host: '127.0.0.1', servername: SHOP, ca });
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write(`${head}Connection: close\r\n\r\n`);
      await once(socket, 'close');
      return text;
    };
    expect(await raw('GET /livez HTTP/1.1\r\nHost: evil.example\r\n')).toMatch(/^HTTP\/1.1 421 /);
    // The name in the request's address counts, and the application gets that one.
    expect(await raw(`GET https://evil.example/livez HTTP/1.1\r\nHost: ${SHOP}\r\n`)).toMatch(
      /^HTTP\/1.1 421 /,
    );
    const named = await raw(`GET https://${SHOP}/api/host HTTP/1.1\r\nHost: evil.example\r\n`);
    expect(named).toContain('x-answered-by: next');
    expect(named).toContain(`x-host: ${SHOP}\r\n`);

    const one = await client();
    const answers = [
      await one.ask('/livez'),
      await one.ask('/api/nothing'),
      await one.ask('/api/internal/revalidate'),
      await one.ask('/api/sales/x/purchase/y', { method: 'POST', body: 'x'.repeat(2_000) }),
    ];
    for (const { headers, status } of answers)
      expect(headers['strict-transport-security'], String(status)).toBe('max-age=31536000');
  });

  it('[L3] takes bodies as large as the application does, and no larger', async () => {
    const one = await client();
    for (const [path, mostBytes] of [
      ['/api/admin/products/import', 4 * 1024 * 1024],
      ['/api/admin/media', 10 * 1024 * 1024],
      ['/api/email/returned', 256 * 1024],
    ] as const) {
      const post = (bytes: number) => one.ask(path, { method: 'POST', body: 'x'.repeat(bytes) });
      expect((await post(mostBytes)).status, path).not.toBe(413);
      expect((await post(mostBytes + 1)).status, path).toBe(413);
    }
  });

  it('[N8] strangers are told neither whether the shop is ready nor what it measures, and run no functions', async () => {
    const [own, stranger] = [await client(), await client(SHOP, '192.0.2.1')];
    expect((await own.ask('/readyz')).headers['content-type']).toBe('application/json');
    for (const path of ['/readyz', '/metrics', '/api/inngest', '/api/internal/revalidate']) {
      for (const method of ['GET', 'POST', 'PUT']) {
        const answer = await stranger.ask(path, { method });
        expect([answer.status, JSON.parse(answer.body).code], `${method} ${path}`).toEqual([
          404,
          'NOT_FOUND',
        ]);
      }
    }
  });

  it('[K3] the name of the purchase interface serves the hot routes and nothing else', async () => {
    const sale = await createSaleFixture({ total: 10, users: 1 });
    const api = await client(PURCHASE_API);
    const token = tokenFor(sale.saleId, sale.userIds[0] ?? '');
    const { orderNo, http } = await buy(api, sale, token);
    expect(http).toBe(202);
    expect((await api.ask(stateOf(sale))).headers['x-cache-status']).toBe('MISS');
    const order = await api.ask(`/api/orders/${orderNo}`, { headers: { 'x-entry-token': token } });
    expect(order.status).toBe(200);
    for (const path of [
      '/',
      '/signin',
      '/admin',
      '/api/auth/session',
      '/api/admin/sales',
      '/api/orders',
      '/readyz',
      `/api/sales/${sale.saleId}/entry`,
      '/_next/static/chunks/app.js',
      '/api/internal/revalidate',
    ]) {
      const answer = await api.ask(path);
      expect(answer.status, path).toBe(404);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it("[K3] the shop's pages buy at that name, and can read what nginx refuses there; other pages can't", async () => {
    const sale = await createSaleFixture({ total: 10, users: 1 });
    const api = await client(PURCHASE_API);
    const path = `/api/sales/${sale.saleId}/purchase/${sale.gate}`;
    const allowed = 'access-control-allow-origin';
    const own = { origin: `https://${SHOP}` };
    const asked = { ...own, 'access-control-request-method': 'POST' };
    const preflight = await api.ask(path, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, preflight.headers[allowed]]).toEqual([204, own.origin]);
    const body = JSON.stringify({ entryToken: tokenFor(sale.saleId, sale.userIds[0] ?? '') });
    const bought = await api.ask(path, {
      method: 'POST',
      headers: { ...own, 'content-type': 'text/plain' },
      body,
    });
    expect([bought.status, bought.headers[allowed]]).toEqual([202, own.origin]);

    const tooLong = (one: EdgeClient, origin: string) =>
      one.ask(path, { method: 'POST', headers: { origin }, body: 'x'.repeat(2_000) });
    const refused = await tooLong(api, own.origin);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'TOO_LARGE' });
    expect([refused.status, refused.headers[allowed], refused.headers.vary]).toEqual([
      413,
      own.origin,
      'Origin',
    ]);
    for (const origin of ['https://evil.example', `https://${SHOP}.evil.example`, `http://${SHOP}`, 'null'])
      expect((await tooLong(api, origin)).headers[allowed], origin).toBeUndefined();
    expect((await tooLong(await client(), own.origin)).headers[allowed]).toBeUndefined();
  });

  it('[K3] the name of the files gives out scripts and styles and nothing else', async () => {
    const files = await client(STATIC_FILES);
    const file = await files.ask('/_next/static/chunks/app.js');
    expect(file.headers['x-answered-by']).toBe('next');
    expect((await files.ask('/_next/static/chunks/app.js', { method: 'POST' })).status).toBe(405);
    for (const path of [
      '/',
      '/signin',
      '/api/sales',
      '/api/auth/session',
      '/_next/image',
      '/products/x.svg',
    ]) {
      const answer = await files.ask(path);
      expect([answer.status, JSON.parse(answer.body).code], path).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('[K3] who asks for a name that is not ours gets no certificate; internal addresses are not there', async () => {
    const { port, certificate: ca } = edge;
    const socket = connect({ port, host: '127.0.0.1', servername: 'elsewhere.example.com', ca });
    const [error] = await once(socket, 'error').catch((reason: unknown) => [reason]);
    expect(String(error)).toMatch(/unrecognized|alert/i);
    const one = await client();
    for (const path of [
      '/api/internal/revalidate',
      '/api//internal/revalidate',
      '/api/%69nternal/revalidate',
    ]) {
      const answer = await one.ask(path, { method: 'POST' });
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('[A3 G9] events go out as they come', async () => {
    const { saleId, epoch } = await createSaleFixture();
    const one = await client();
    const stream = one.open(`/api/sales/${saleId}/events`);
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await eventually(() => expect(text).toContain('"status":"live"'), 20);
    expect(text).not.toContain('"status":"paused"');
    await configureStock({ saleId, epoch, paused: true });
    await eventually(() => expect(text).toContain('"status":"paused"'), 20);
    expect(stream.readableEnded).toBe(false);
  });

  it('[A1 L4] the list of sales comes from the cache, its first page only, in every encoding once', async () => {
    await createSaleFixture();
    await createSaleFixture();
    await publishNow();
    const stopPublishing = keepPublishing();
    try {
      const one = await client();
      const ask = async (query = '', encoding = '') => {
        const headers = encoding === '' ? undefined : { 'accept-encoding': encoding };
        const { status, headers: told, body } = await one.ask(`/api/sales${query}`, { headers });
        return { status, cache: told['x-cache-status'], encoding: told['content-encoding'], body };
      };
      for (const query of ['', '?limit=1']) {
        for (const encoding of ['', 'br, gzip', 'gzip', 'deflate, gzip;q=1.0', 'br;q=0, gzip'])
          await eventually(
            async () => expect(await ask(query, encoding)).toMatchObject({ status: 200, cache: 'HIT' }),
            20,
          );
      }
      const first = await ask('?limit=1');
      const { sales, nextCursor } = JSON.parse(first.body);
      expect(sales).toHaveLength(1);
      // All clients with the same page length share one cached copy; encodings nginx does not compress to make no
      // difference.
      const crowd = await Promise.all(Array.from({ length: 100 }, (_, n) => ask('?limit=2', `x-${n}`)));
      expect(crowd.filter(({ cache }) => cache === 'MISS' || cache === 'EXPIRED').length).toBeLessThan(10);

      for (const query of [`?limit=1&cursor=${nextCursor}`, '?x=1', '?limit=1&limit=2']) {
        for (let n = 0; n < 3; n += 1) expect((await ask(query)).cache, query).toBe('BYPASS');
      }
      for (let n = 0; n < 3; n += 1)
        expect(await ask('?limit=0')).toMatchObject({ status: 422, cache: expect.not.stringMatching('HIT') });
    } finally {
      await stopPublishing();
    }
  });

  it('[A3 G9] a state comes from the cache, a little longer while nobody answers, and never across the start', async () => {
    const running = await createSaleFixture();
    const soon = await createSaleFixture();
    const startsAt = Date.now() + 6_000;
    await configureStock({ saleId: soon.saleId, epoch: soon.epoch, startsAt });
    const one = await client();
    const ask = async (sale: SaleFixture) => {
      const { status, headers, body } = await one.ask(stateOf(sale));
      return { status, cache: headers['x-cache-status'], state: JSON.parse(body) };
    };
    const from = (cache: string) => async () =>
      expect(await ask(running)).toMatchObject({ status: 200, cache });
    await eventually(
      async () => expect(await ask(soon)).toMatchObject({ state: { status: 'scheduled' } }),
      20,
    );
    await eventually(from('HIT'), 20);
    backend.child.kill('SIGKILL');
    await eventually(from('STALE'), 20);
    // The cache does not keep a state beyond the start of the sale, when it changes.
    await eventually(async () => expect(await ask(soon)).toMatchObject({ status: 503 }), 20);
    expect((await ask(soon)).state).toMatchObject({ code: 'UNAVAILABLE' });
  });
});
