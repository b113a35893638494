import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { eventually } from '@/test/support/eventually';
import { type RawAnswer, rawGet } from './testing/raw-get';
import { tokenFor } from './testing/send-purchase';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

const BUY = 'http://buy.localhost:3999';
const EVIL = [
  'https://evil.example',
  'null',
  '__proto__',
  'http://localhost:3999.evil.example',
  'http://LOCALHOST:3999',
  'https://localhost:3999',
  'http://localhost',
  '*',
];
let web: FastPathProcess;
let without: FastPathProcess;
let sale: SaleFixture;
beforeAll(async () => {
  [web, without, sale] = await Promise.all([
    startFastPath({ env: { PURCHASE_ORIGIN: BUY } }),
    startFastPath(),
    createSaleFixture({ total: 10, users: 8 }),
  ]);
});
afterAll(async () => {
  await Promise.all([web.stop(), without.stop()]);
  await Promise.all([closeRedis(), closeDb()]);
});

const path = () => `/api/sales/${sale.saleId}/purchase/${sale.gate}`;
const site = () => env().publicUrl;
const holder = (at: number) => tokenFor(sale.saleId, sale.userIds[at] ?? '');

type Sent = {
  origin?: string;
  body?: string;
  headers?: Record<string, string>;
  path?: string;
  to?: FastPathProcess;
};
async function buy({ origin, body = '', headers = {}, path: target = path(), to = web }: Sent) {
  const sent = { ...headers, ...(origin === undefined ? {} : { origin }) };
  const answer = await rawGet(
    `${to.origin}${target}`,
    { ...sent, 'content-length': String(Buffer.byteLength(body)) },
    { method: 'POST', body },
  );
  return { status: answer.status, headers: headersOf(answer), body: JSON.parse(answer.body.toString()) };
}
const headersOf = ({ headers }: RawAnswer) => new Headers(headers as Record<string, string>);
/** Both readers of requests: `te` makes the plain one give a request away. */
const READERS = [{}, { te: 'trailers' }] as Record<string, string>[];

describe('purchases from pages of another name', () => {
  it('[K3] a page buys with the token in its body, without cookies, headers of its own or a preflight', async () => {
    for (const [at, headers] of READERS.entries()) {
      const body = JSON.stringify({ entryToken: holder(at), isFirstTry: true });
      const simple = { 'content-type': 'text/plain;charset=UTF-8', accept: 'application/json', ...headers };
      // A busy machine may answer 503 at first, as it would to a page.
      const answer = await eventually(async () => {
        const one = await buy({ origin: site(), body, headers: simple });
        expect([one.status, one.body.status], JSON.stringify(headers)).toEqual([202, 'queued']);
        return one;
      }, 100);
      expect(answer.headers.get('access-control-allow-origin')).toBe(site());
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('vary')).toContain('Origin');
      const again = await buy({ origin: site(), body, headers: simple });
      expect(again.body).toEqual({ ...answer.body, replay: true });
    }
  });

  it('[K3] refusals and errors can be read too, by these pages alone', async () => {
    const cases: Sent[] = READERS.flatMap((headers) => [
      { headers },
      { headers, body: '{"entryToken":7}' },
      { headers, body: '{"entryToken":"' },
      { headers, body: `{"entryToken":"${holder(2)}","quantity":0}` },
      { headers, body: 'x'.repeat(1_100) },
      { headers: { ...headers, 'x-entry-token': holder(2) }, path: '/api/sales/nothing/purchase/x' },
      { headers: { ...headers, 'x-entry-token': holder(2) }, path: `/api/sales/${sale.saleId}/purchase/x` },
    ]);
    for (const sent of cases) {
      const what = JSON.stringify(sent);
      const own = await buy({ ...sent, origin: site() });
      expect(own.status, what).toBeGreaterThanOrEqual(400);
      expect(own.headers.get('access-control-allow-origin'), what).toBe(site());
      expect(own.headers.get('access-control-expose-headers'), what).toBe('Retry-After');
      for (const origin of [...EVIL, undefined]) {
        const other = await buy({ ...sent, origin });
        expect([other.status, other.body.code]).toEqual([own.status, own.body.code]);
        expect(noneAllowed(other.headers), `${what} ${origin}`).toBe(true);
        expect(other.headers.get('vary')).toContain('Origin');
      }
    }
  });

  it('[K3] a preflight is answered for these pages, POST and purchases alone', async () => {
    const ask = async (headers: Record<string, string>, target = path(), to = web) => {
      const answer = await rawGet(`${to.origin}${target}`, headers, { method: 'OPTIONS' });
      return { status: answer.status, headers: headersOf(answer) };
    };
    const asked = { origin: site(), 'access-control-request-method': 'POST' };
    const { status, headers } = await ask({ ...asked, 'access-control-request-headers': 'x-entry-token' });
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': site(),
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-entry-token',
      'access-control-max-age': '7200',
      vary: expect.stringContaining('Origin'),
    });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    const refused = [
      await ask({ ...asked, 'access-control-request-method': 'DELETE' }),
      await ask({ origin: site() }),
      await ask(asked, `/api/sales/${sale.saleId}/entry`),
      await ask(asked, `/api/sales/${sale.saleId}/state`),
      await ask(asked, '/api/sales'),
      await ask(asked, path(), without),
      ...(await Promise.all(EVIL.map((origin) => ask({ ...asked, origin })))),
    ];
    for (const answer of refused) expect(noneAllowed(answer.headers)).toBe(true);
  });

  it('[K3] nothing else is told to another origin, and without the setting nothing at all', async () => {
    for (const target of [`/api/sales/${sale.saleId}/state`, '/api/orders/1', '/api/sales', '/livez']) {
      const answer = await rawGet(`${web.origin}${target}`, { origin: site() });
      expect(noneAllowed(headersOf(answer)), target).toBe(true);
    }
    const answer = await buy({ origin: site(), to: without, headers: { 'x-entry-token': holder(3) } });
    expect(answer.status).toBe(202);
    expect(noneAllowed(answer.headers)).toBe(true);
    expect(answer.headers.get('vary') ?? '').not.toContain('Origin');
  });

  it('[K3] whoever answers, Next as well as the fast path', async () => {
    const secret = createHash('sha256').update(`lane:${env().internalSecrets[0]}`).digest('hex');
    const ask = (origin: string) =>
      rawGet(`${web.origin}${path()}`, { origin, 'x-seckill-lane': secret }, { method: 'POST' });
    const [own, other] = [await ask(site()), await ask('https://evil.example')];
    expect(own.headers['x-answered-by']).toBe('next');
    expect(own.headers['access-control-allow-origin']).toBe(site());
    expect(noneAllowed(headersOf(other))).toBe(true);
  });

  it('[K3] two origins in one request are no origin of ours', async () => {
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(web.origin).port), '127.0.0.1');
      let got = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        got += chunk;
      });
      socket.once('close', () => resolve(got));
      socket.write(
        `POST ${path()} HTTP/1.1\r\nHost: x\r\nOrigin: ${site()}\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    });
    expect(text).toMatch(/^HTTP\/1.1 401/);
    expect(text.toLowerCase()).not.toContain('evil.example');
  });
});

const noneAllowed = (headers: Headers) =>
  ![...headers.keys()].some((name) => name.startsWith('access-control-'));
