import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPageCache, type PageCache } from './page-cache';
import { rawGet } from './testing/raw-get';
import { standInForNext } from './testing/stand-in-next';

const SCRIPT = 'self.x=1';
let renders = 0;
let word = 'one';
let write: (response: ServerResponse, path: string) => void | Promise<void>;
let pages: PageCache;
let origin = '';
let close: () => Promise<unknown>;

const html = () => `<html><script>${SCRIPT}</script><p>${word.repeat(600)}</p></html>`;

/** Stands in for Next: pages anybody may keep, and others. */
function answerPage(response: ServerResponse, path: string) {
  renders += 1;
  response.setHeader('Content-Security-Policy', "base-uri 'self'");
  response.setHeader('content-type', 'text/html');
  response.setHeader('x-nextjs-cache', 'MISS');
  if (path === '/personal') response.setHeader('cache-control', 'private, no-store');
  else response.setHeader('cache-control', 's-maxage=60, stale-while-revalidate=120');
  if (path === '/cookie') response.setHeader('set-cookie', 'a=b');
  if (path === '/missing') response.statusCode = 404;
  response.write(html().slice(0, 100));
  response.end(html().slice(100));
}

beforeEach(async () => {
  renders = 0;
  word = 'one';
  write = answerPage;
  const next = await standInForNext((request, response) => write(response, request.url ?? ''));
  pages = createPageCache(next.ask, (error) => {
    throw error;
  });
  const server = createServer((request, response) => {
    if (!pages.answer(request, response, request.url ?? '')) response.writeHead(501).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    next.close();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
});
afterEach(() => close());

describe('page cache', () => {
  it('[A1 A2] renders a page once and answers everybody with its bytes, in the encoding they take', async () => {
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
    expect(renders).toBe(1);
  });

  it('[A1] answers 304 to whoever has these bytes, and not after they changed', async () => {
    const { headers } = await rawGet(`${origin}/sale`, { 'accept-encoding': 'br' });
    const wanted = { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) };
    const same = await rawGet(`${origin}/sale`, wanted);
    expect([same.status, same.body.length]).toEqual([304, 0]);
    word = 'two';
    pages.forget(['/sale']);
    const fresh = await rawGet(`${origin}/sale`, wanted);
    expect(fresh.status).toBe(200);
    expect(brotliDecompressSync(fresh.body).toString()).toContain('two');
  });

  it('[A1] keeps nothing that is personal, sets a cookie or is missing', async () => {
    for (const path of ['/personal', '/cookie', '/missing']) {
      for (let n = 0; n < 2; n += 1) {
        const answer = await rawGet(`${origin}${path}`);
        expect(answer.body.toString()).toBe(html());
        expect(answer.status).toBe(path === '/missing' ? 404 : 200);
      }
    }
    expect(renders).toBe(6);
  });

  it('[A1] leaves fragments, previews and ranges to Next', async () => {
    for (const header of ['rsc', 'next-router-prefetch', 'range', 'next-action']) {
      expect((await rawGet(`${origin}/sale`, { [header]: '1' })).status, header).toBe(501);
    }
    expect((await rawGet(`${origin}/sale`, { cookie: '__prerender_bypass=1' })).status).toBe(501);
  });

  it('[A1] what was being rendered while the page was renewed is not kept', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started = () => {};
    const isStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    write = async (response, path) => {
      started();
      await held;
      answerPage(response, path);
    };
    const early = rawGet(`${origin}/sale`);
    await isStarted;
    pages.forget(['/sale']);
    release();
    await early;
    await rawGet(`${origin}/sale`);
    expect(renders).toBe(2);
  });

  it('[F2] lets exactly the inline scripts of these bytes run', async () => {
    const { headers } = await rawGet(`${origin}/sale`);
    const hash = createHash('sha256').update(SCRIPT).digest('base64');
    expect(headers['content-security-policy']).toBe(`base-uri 'self'; script-src 'self' 'sha256-${hash}'`);
  });
});
