import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createWebServer } from './create-server';
import type { DirectRoute } from './direct-routes';
import { countStreams } from './events-registry';
import { passedHeaders } from './passed-headers';
import { createSiteMap } from './site-map';
import { rawGet } from './testing/raw-get';
import { tokenFor } from './testing/send-purchase';
import { standInForNext } from './testing/stand-in-next';

/** Does not change the request, but makes node:http read it. */
const NOT_PLAIN = 'TE: trailers';
const COMMON = ['X-Common', 'one', 'Vary', 'rsc'];

const next = await standInForNext((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 's-maxage=60', 'x-from': 'next' });
  response.end(`<p>${request.url}</p>`.repeat(200));
});
/** Says what it was asked, without what makes node:http read it. */
const echo: DirectRoute = {
  method: 'POST',
  path: '/api/echo/{what}',
  answer: async ({ target, body, headers, raw }, { what = '' }) => {
    const seen = passedHeaders(raw, 0).filter((_, at, all) => !/^te$/i.test(all[at - (at % 2)] ?? ''));
    const text = JSON.stringify({ target, body, what, seen, own: headers.get('X-Own') });
    return what === 'reply'
      ? { status: 201, headers: { 'x-from': 'reply' }, body: text }
      : new Response(text, {
          headers: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
          ],
        });
  },
};
const web = createWebServer({
  direct: [echo],
  next: next.forward,
  hasFastPath: true,
  commonHeaders: COMMON,
  ask: (path) => next.call('GET', path, {}),
  site: createSiteMap({ pages: ['/'], interfaces: ['/api/orders'], redirects: [], files: [] }),
});
let sale: SaleFixture;
let port = 0;

beforeAll(async () => {
  sale = await createSaleFixture({ total: 2, users: 4 });
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  port = (web.server.address() as AddressInfo).port;
});
afterAll(async () => {
  web.closeAll();
  next.close();
  await new Promise((resolve) => web.server.close(resolve));
  await Promise.all([closeRedis(), closeDb()]);
});

type Ask = { method?: string; target: string; headers?: string[]; body?: string };
const purchase = (user: number, more: Partial<Ask> = {}): Ask => ({
  method: 'POST',
  target: `/api/sales/${sale.saleId}/purchase/${sale.gate}`,
  headers: [`X-Entry-Token: ${token(user)}`],
  ...more,
});
const tokens = new Map<number, string>();
function token(user: number): string {
  const known = tokens.get(user) ?? tokenFor(sale.saleId, sale.userIds[user] ?? '');
  tokens.set(user, known);
  return known;
}
const text = ({ method = 'GET', target, headers = [], body = '' }: Ask) =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n');

/** Returns everything that comes over one connection until it closes; sends `parts` one after the other. */
function exchange(parts: string[], pauseMs = 0): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let got = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      got += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
    const send = (at: number) => {
      if (at >= parts.length) return;
      socket.write(parts[at] ?? '', () => setTimeout(() => send(at + 1), pauseMs));
    };
    send(0);
  });
}
const once = (ask: Ask, ...headers: string[]) =>
  exchange([text({ ...ask, headers: [...(ask.headers ?? []), ...headers, 'Connection: close'] })]);
const statuses = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
/** Removes what differs between any two answers: the second, and the request's id. */
const comparable = (answer: string) =>
  answer.replace(/^date: .*\r\n/im, '').replace(/"requestId":"[^"]*"/, '"requestId":""');

describe('plain requests', () => {
  it('[C1 F2] are answered byte for byte as node:http answers them', async () => {
    await rawGet(`http://127.0.0.1:${port}/`);
    expect(statuses(await once(purchase(0)))).toEqual(['202']);
    const page = await once({ target: '/' });
    const tag = /ETag: (\S+)/.exec(page)?.[1] ?? '';
    const asks: Record<string, Ask> = {
      replay: purchase(0),
      'already bought': purchase(0, {
        headers: [`X-Entry-Token: ${tokenFor(sale.saleId, sale.userIds[0] ?? '')}`],
      }),
      'no token': purchase(1, { headers: [] }),
      'wrong gate': purchase(1, { target: `/api/sales/${sale.saleId}/purchase/x` }),
      'unknown sale': purchase(1, { target: '/api/sales/nowhere/purchase/x' }),
      'too many': purchase(1, { body: '{"quantity":9}' }),
      'no quantity': purchase(1, { body: '{"quantity":0}' }),
      'not JSON': purchase(1, { body: '{' }),
      clock: { target: `/api/sales/${sale.saleId}/state?clock=1` },
      'unknown state': { target: '/api/sales/nowhere/state' },
      'an order that is not there': { target: '/api/orders/1', headers: [`X-Entry-Token: ${token(1)}`] },
      'a direct answer': {
        method: 'POST',
        target: '/api/echo/reply?a=%20',
        headers: ['X-Own: \xe9 '],
        body: '{"é"',
      },
      'a direct response': { method: 'POST', target: '/api/echo/response', headers: ['Cookie: a=b; c=d'] },
      'a repeated header': { method: 'POST', target: '/api/echo/reply', headers: ['X-Own: a', 'x-own: b'] },
      'a direct answer to too much': { method: 'POST', target: '/api/echo/reply', body: 'x'.repeat(20_000) },
      page: { target: '/' },
      'page with a query': { target: '/?a=1&b=%20' },
      'page as br': { target: '/', headers: ['Accept-Encoding: gzip, br'] },
      'page as gzip': { target: '/', headers: ['Accept-Encoding: gzip, br;q=0'] },
      'page not modified': { target: '/', headers: [`If-None-Match: ${tag}`] },
    };
    for (const [what, ask] of Object.entries(asks)) {
      const [plain, http] = [await once(ask), await once(ask, NOT_PLAIN)];
      const strip =
        what === 'clock' ? (answer: string) => answer.replace(/"serverTime":\d+/, '') : (a: string) => a;
      expect(strip(comparable(plain)), what).toBe(strip(comparable(http)));
      expect(plain, what).toMatch(/^HTTP\/1\.1 \d{3} [\s\S]*\r\nConnection: close\r\n\r\n/);
    }
  });

  it('[A3] open a stream of events as node:http does, its refusals too; it ends when its reader says more', async () => {
    const events = (saleId: string) => ({ target: `/api/sales/${saleId}/events` });
    const timeless = (answer: string) => comparable(answer).replace(/retry: \d+|"serverTime":\d+/g, '');
    const first = (...headers: string[]) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1' });
        let got = '';
        socket.setEncoding('latin1').on('data', (chunk: string) => {
          got += chunk;
          if (got.includes('}\n\n')) socket.destroy();
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(timeless(got)));
        socket.write(text({ ...events(sale.saleId), headers }));
      });
    expect(await first()).toBe(await first(NOT_PLAIN));
    expect(await first()).toMatch(
      /^HTTP\/1\.1 200 OK\r\nX-Common: one\r\n[\s\S]*\r\nconnection: close\r\n\r\n\ndata: {"saleId":/,
    );
    const refused = events('nowhere');
    expect(comparable(await once(refused))).toBe(comparable(await once(refused, NOT_PLAIN)));
    const last = text({ target: '/api/sales/nowhere/state', headers: ['Connection: close'] });
    expect(statuses(await exchange([text(refused), last], 20))).toEqual(['404', '404']);
    const opening = text(events(sale.saleId));
    for (const asked of [opening, text({ ...events(sale.saleId), headers: [NOT_PLAIN] })])
      expect(statuses(await exchange([asked, last], 200))).toEqual(['200']);
    await expect.poll(() => countStreams().all).toBe(0);
  });

  it('[C1] one after the other on one connection, and many at once, get their answers in order', async () => {
    const state = text({ target: `/api/sales/${sale.saleId}/state` });
    const refused = text(purchase(1, { headers: [] }));
    const last = text({ target: '/api/sales/nowhere/state', headers: ['Connection: close'] });
    expect(statuses(await exchange([state, refused, last], 20))).toEqual(['200', '401', '404']);
    expect(statuses(await exchange([`${state}${refused}${state}${last}`]))).toEqual([
      '200',
      '401',
      '200',
      '404',
    ]);
    const direct = text({ method: 'POST', target: '/api/echo/reply' });
    expect(statuses(await exchange([`${state}${direct}${direct}${refused}${direct}${last}`]))).toEqual([
      '200',
      '201',
      '201',
      '401',
      '201',
      '404',
    ]);
    const many = Array.from({ length: 500 }, () => refused).join('');
    expect(statuses(await exchange([`${many}${last}`]))).toEqual([...Array(500).fill('401'), '404']);
  });

  it('[A6] a connection goes over to node:http with whatever it is that is not plain', async () => {
    const state = text({ target: `/api/sales/${sale.saleId}/state` });
    const cold = text({ target: '/api/orders' });
    const last = text({ target: '/api/sales/nowhere/state', headers: ['Connection: close'] });
    expect(statuses(await exchange([`${state}${cold}${state}${last}`]))).toEqual([
      '200',
      '200',
      '200',
      '404',
    ]);
    const halves = [state.slice(0, 20), `${state.slice(20)}${cold.slice(0, 9)}`, `${cold.slice(9)}${last}`];
    expect(statuses(await exchange(halves, 20))).toEqual(['200', '200', '404']);
    expect(statuses(await exchange([state, 'nonsense\r\n\r\n'], 20))).toEqual(['200', '400']);
  });

  it.each([
    ['its own reader', []],
    ['node:http', [NOT_PLAIN]],
  ])('[A6] whoever closes its half is answered all the same, read by %s', async (_, headers) => {
    const ask = (more: Ask) => text({ ...more, headers: [...(more.headers ?? []), ...headers] });
    const order = ask({ target: '/api/orders/1', headers: [`X-Entry-Token: ${token(1)}`] });
    const state = ask({ target: `/api/sales/${sale.saleId}/state` });
    const cold = ask({ target: '/api/orders' });
    const answers = await new Promise<string>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      let got = '';
      socket.on('data', (chunk) => {
        got += chunk;
      });
      socket.on('close', () => resolve(got));
      socket.end([state, order, order, state, cold, state].join(''));
    });
    expect(statuses(answers)).toEqual(['200', '404', '404', '200', '200', '200']);
  });

  it('[A6] what is no HTTP is refused after the answers that are owed, read by whomever', async () => {
    const order = (...headers: string[]) =>
      text({ target: '/api/orders/1', headers: [`X-Entry-Token: ${token(1)}`, ...headers] });
    for (const head of [order(), order(NOT_PLAIN)]) {
      const answers = await exchange([`${head}${head}nonsense\r\n\r\n`]);
      expect(statuses(answers)).toEqual(['404', '404', '400']);
      expect(answers).toMatch(/"code":"MALFORMED"[^\r\n]*$/);
    }
  });

  it('[A6] whoever does not read its answers is not read from', async () => {
    const many = text({ target: '/' }).repeat(2_000);
    const sent = await new Promise<number>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => {});
      socket.pause();
      let from = 0;
      let timer: NodeJS.Timeout;
      const push = () => {
        clearTimeout(timer);
        from += 1;
        // The server accepts nothing more: it waits for its client to read.
        timer = setTimeout(() => {
          socket.destroy();
          resolve(from);
        }, 500);
        if (from < 200) socket.write(many, push);
      };
      push();
    });
    expect(sent).toBeLessThan(200);
    expect(process.memoryUsage().external).toBeLessThan(500 * 1024 * 1024);
  });
});
