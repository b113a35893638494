import { type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '@/test/support/eventually';
import { createWebServer, type WebServer } from './create-server';
import type { Limits } from './limits';
import { rawGet } from './testing/raw-get';
import { siteOf } from './testing/site-of';
import { standInForNext } from './testing/stand-in-next';

vi.mock('node:zlib', { spy: true });

const { brotliDecompressSync, gunzipSync } = zlib;
const PAGES = ['/', '/sale', '/personal', '/cookie', '/broken', '/orders/[orderNo]', '/sales/[slug]'];
let asked: string[] = [];
let seen: IncomingHttpHeaders[] = [];
let word = 'one';
let write: (response: ServerResponse, path: string) => void | Promise<void>;
let web: WebServer;
let origin = '';
let close: () => Promise<unknown>;

const html = () => `<html><p>${word.repeat(600)}</p></html>`;

/** Plays Next: answers with pages that every cache may keep, and others. */
function answerPage(response: ServerResponse, path: string) {
  response.setHeader('content-type', 'text/html');
  response.setHeader('x-nextjs-cache', 'MISS');
  if (path === '/personal') response.setHeader('cache-control', 'private, no-store');
  else if (path.endsWith('.js')) response.setHeader('cache-control', 'public, max-age=31536000, immutable');
  else response.setHeader('cache-control', 's-maxage=60, stale-while-revalidate=120');
  if (path === '/cookie') response.setHeader('set-cookie', 'a=b');
  if (path === '/sales/gone') response.statusCode = 404;
  if (path === '/broken') response.statusCode = 500;
  response.write(html().slice(0, 100));
  response.end(html().slice(100));
}

async function start(limits: Partial<Limits> = {}) {
  const next = await standInForNext((request, response) => {
    asked.push(request.url ?? '');
    seen.push(request.headers);
    return write(response, request.url ?? '');
  });
  web = createWebServer({
    next: next.forward,
    ask: (path) => next.call('GET', path, {}),
    site: siteOf(PAGES, ['/_next/static/a.js'], ['/api/openapi.json']),
    hasFastPath: true,
    commonHeaders: [],
    limits,
  });
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
  close = () => {
    next.close();
    web.closeAll();
    return new Promise((resolve) => web.server.close(resolve));
  };
}

/** Holds Next's pages back until the returned function is called. */
function holdAnswers(): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  write = async (response, path) => {
    if (!path.endsWith('.js')) await held;
    answerPage(response, path);
  };
  return release;
}

const untilAsked = (count: number) => eventually(() => expect(asked.length).toBeGreaterThanOrEqual(count));

beforeEach(async () => {
  asked = [];
  seen = [];
  word = 'one';
  write = answerPage;
  vi.clearAllMocks();
  await start();
});
afterEach(() => close());

describe('kept pages', () => {
  it('[A1 A2] are made once and sent to everybody with the same bytes, in the encoding they take', async () => {
    const first = await rawGet(`${origin}/sale`);
    expect(first.headers['x-nextjs-cache']).toBe('MISS');
    expect(first.body.toString()).toBe(html());
    const br = await rawGet(`${origin}/sale`, { 'accept-encoding': 'gzip, br' });
    const gzip = await rawGet(`${origin}/sale`, { 'accept-encoding': 'br;q=0, gzip' });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', 'x-nextjs-cache': 'HIT' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(brotliDecompressSync(br.body).toString()).toBe(html());
    expect(gunzipSync(gzip.body).toString()).toBe(html());
    expect(br.headers['cache-control']).toBe('s-maxage=60, stale-while-revalidate=120');
    expect(asked).toEqual(['/sale']);
  });

  it('[A1] answer 304 to whoever has these bytes, and not after they changed', async () => {
    const { headers } = await rawGet(`${origin}/sale`, { 'accept-encoding': 'br' });
    const wanted = { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) };
    const same = await rawGet(`${origin}/sale`, wanted);
    expect([same.status, same.body.length]).toEqual([304, 0]);
    word = 'two';
    web.forgetPages(['/sale']);
    const fresh = await rawGet(`${origin}/sale`, wanted);
    expect(fresh.status).toBe(200);
    expect(brotliDecompressSync(fresh.body).toString()).toContain('two');
  });

  it('[L3] answer questions only: what else an interface is asked is its own to refuse', async () => {
    const document = `${origin}/api/openapi.json`;
    for (let n = 0; n < 2; n += 1) expect((await rawGet(document)).body.toString()).toBe(html());
    expect((await rawGet(document, {}, { method: 'HEAD' })).status).toBe(200);
    expect(asked).toEqual(['/api/openapi.json']);
    write = (response) => void response.writeHead(405, { allow: 'GET, HEAD, OPTIONS' }).end();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await rawGet(document, {}, { method });
      expect([status, headers.allow], method).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });

  it('[A1 N11] are the same copy for HEAD, for any query and for whatever a request carries', async () => {
    await rawGet(`${origin}/sale`);
    const head = await rawGet(`${origin}/sale`, {}, { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(html().length),
    ]);
    for (const target of ['/sale?a=1', '/sale?utm_source=%ff&x=../..', '/sale?_rsc=abc', '/%73ale']) {
      const { status, headers } = await rawGet(`${origin}${target}`);
      expect([status, headers['x-nextjs-cache']], target).toEqual([200, 'HIT']);
    }
    for (const [name, value] of [
      ['cookie', '__prerender_bypass=1'],
      ['range', 'bytes=0-1'],
      ['next-action', 'x'],
      ['next-router-prefetch', '1'],
      ['x-prerender-revalidate', 'x'],
      ['x-middleware-subrequest', 'x'],
    ] as const) {
      const { status, headers } = await rawGet(`${origin}/sale`, { [name]: value });
      expect([status, headers['x-nextjs-cache']], name).toEqual([200, 'HIT']);
    }
    expect(asked).toEqual(['/sale']);
  });

  it("[A1] are not fragments for Next's router: those it answers itself", async () => {
    await rawGet(`${origin}/sale`);
    await rawGet(`${origin}/sale?_rsc=1`, { rsc: '1' });
    expect(asked).toEqual(['/sale', '/sale?_rsc=1']);
  });

  it('[A1] are nothing that is personal or sets a cookie: everybody asks for himself', async () => {
    for (const path of ['/personal', '/cookie']) {
      for (let n = 0; n < 2; n += 1) {
        const answer = await rawGet(`${origin}${path}`, { cookie: `who=${n}` });
        expect([answer.status, answer.body.toString()]).toEqual([200, html()]);
      }
    }
    // A request on behalf of all visitors carried no visitor's cookie.
    expect(seen.map(({ cookie }) => cookie)).toEqual([
      undefined,
      'who=0',
      undefined,
      'who=1',
      undefined,
      'who=0',
      undefined,
      'who=1',
    ]);
  });

  it('[A1] are not what was being rendered while the page was renewed; who comes later gets the new one', async () => {
    const release = holdAnswers();
    const early = rawGet(`${origin}/sale`);
    await untilAsked(1);
    web.forgetPages(['/sale']);
    const late = rawGet(`${origin}/sale`);
    await untilAsked(2);
    release();
    expect((await early).status).toBe(200);
    expect((await late).status).toBe(200);
    await rawGet(`${origin}/sale`);
    expect(asked).toEqual(['/sale', '/sale']);
  });
});

describe('what strangers may ask for', () => {
  it('[N11] any number of orders are one page, made once', async () => {
    for (let n = 0; n < 50; n += 1) {
      for (const path of [`/orders/${n}x`, `/zh-CN/orders/${n}?q=${n}`, `/orders/%41${n}`])
        expect((await rawGet(`${origin}${path}`)).status).toBe(200);
    }
    expect(asked).toEqual(['/orders/shell', '/zh-CN/orders/shell']);
  });

  it('[N11] any number of wrong addresses are one page per language, made once, and 404', async () => {
    const fetched = [];
    for (let n = 0; n < 50; n += 1) {
      for (const path of [`/${n}/x`, `/zh-CN/${n}`, `/products/${n}.svg`, `/sales/${n}.html`, `//x/${n}`])
        fetched.push(await rawGet(`${origin}${path}`, { 'accept-encoding': 'br' }));
    }
    expect(new Set(fetched.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(fetched.map(({ headers }) => headers['cache-control']))).toEqual(new Set(['no-store']));
    expect(brotliDecompressSync(fetched[0]?.body ?? Buffer.of()).toString()).toBe(html());
    expect(asked).toEqual(['/missing', '/zh-CN/missing']);
    for (const path of [
      '/api/x',
      '/_next/static/x.js',
      '/_next/image?url=/x',
      '/api',
      '/_next/data/x.json',
    ]) {
      const { status, headers, body } = await rawGet(`${origin}${path}`);
      expect([status, headers['content-type']], path).toEqual([404, 'application/problem+json']);
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(asked).toHaveLength(2);
  });

  it('[N11] a page that Next does not know either is the same 404', async () => {
    for (let n = 0; n < 3; n += 1) expect((await rawGet(`${origin}/sales/gone`)).status).toBe(404);
    expect(asked).toEqual(['/sales/gone', '/missing', '/sales/gone', '/sales/gone']);
  });

  it('[N11] a file is kept, too', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { status, headers } = await rawGet(`${origin}/_next/static/a.js`);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    expect(asked).toEqual(['/_next/static/a.js']);
  });

  it('[N11] known bytes are compressed once, off the event loop, however often pages are forgotten', async () => {
    const async = () => [zlib.brotliCompress, zlib.gzip].map((one) => vi.mocked(one).mock.calls.length);
    for (let n = 0; n < 5; n += 1) {
      for (const path of ['/', '/sale', '/orders/1', '/nowhere']) await rawGet(`${origin}${path}`);
      web.forgetPages();
    }
    // All pages have the same bytes here.
    expect(async()).toEqual([1, 1]);
    expect(vi.mocked(zlib.brotliCompressSync)).not.toHaveBeenCalled();
    expect(vi.mocked(zlib.gzipSync)).not.toHaveBeenCalled();
  });

  it('[N11] a crowd that wants the same page makes Next render it once, also if the first of them hangs up', async () => {
    const release = holdAnswers();
    const first = request(`${origin}/sale`, { agent: false }).on('error', () => {});
    first.end();
    await untilAsked(1);
    const crowd = Array.from({ length: 100 }, () => rawGet(`${origin}/sale`));
    first.destroy();
    release();
    const answers = await Promise.all(crowd);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked).toEqual(['/sale']);
  });

  it('[N11] when Next fails to make a page all who wait are told so, and the next one asks again', async () => {
    const release = holdAnswers();
    let connections = 0;
    web.server.on('connection', () => {
      connections += 1;
    });
    const crowd = Array.from({ length: 10 }, () => rawGet(`${origin}/broken`));
    await untilAsked(1);
    await eventually(() => expect(connections).toBe(10));
    // The crowd's requests have been read once one that came later is answered.
    await rawGet(`${origin}/_next/static/a.js`);
    release();
    for (const { status, headers, body } of await Promise.all(crowd)) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(body.toString()).not.toContain(html());
    }
    await rawGet(`${origin}/broken`);
    expect(asked.filter((path) => path === '/broken')).toHaveLength(2);
  });
});
