import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { GET } from '@/app/api/sales/route';
import { closeDb, db } from '@/lib/db/client';
import { keepPublishing, publishNow } from '@/lib/purchase/testing/listed-now';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { keepFollowingSales } from '@/lib/sale/follow-sales';
import { eventually } from '@/test/support/eventually';
import { createWebServer, type WebServer } from './create-server';
import { rawGet } from './testing/raw-get';
import { standInForNext } from './testing/stand-in-next';
import type { Upstream } from './upstream';

vi.mock('node:zlib', { spy: true });

let next: Upstream;
let asked = 0;
let web: WebServer;
let origin: string;
let stopPublishing: () => Promise<void>;

beforeAll(async () => {
  next = await standInForNext((request, response) => {
    asked += 1;
    request.resume();
    response.writeHead(404).end();
  });
  web = createWebServer({ next: next.forward, hasFastPath: true, commonHeaders: ['X-Common', 'yes'] });
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
  for (let n = 0; n < 12; n += 1) await createSaleFixture();
  await publishNow();
  keepFollowingSales();
  stopPublishing = keepPublishing();
});
beforeEach(() => {
  asked = 0;
  vi.clearAllMocks();
});
afterAll(async () => {
  await stopPublishing();
  web.closeAll();
  web.server.close();
  next.close();
  await Promise.all([closeRedis(), closeDb()]);
});

const ask = (query = '', headers: Record<string, string> = {}) =>
  rawGet(`${origin}/api/sales${query}`, headers);

/** Makes node:http read the request, as it reads every request that is not plain. */
const NOT_PLAIN = { te: 'trailers' };

describe('the list of sales from the process that sells', () => {
  it.each([
    ['its own reader', {}],
    ['node:http', NOT_PLAIN],
  ])('[A1 L4] is compressed once for all, and 304 for whoever has it, read by %s', async (_, more) => {
    const query = `?limit=${Object.keys(more).length + 10}`;
    const [plain, br, gzip] = await Promise.all([
      ask(query, more),
      ask(query, { ...more, 'accept-encoding': 'gzip, br' }),
      ask(query, { ...more, 'accept-encoding': 'gzip' }),
    ]);
    expect(plain.headers).toMatchObject({ 'x-common': 'yes', vary: 'accept-encoding' });
    expect(plain.headers['cache-control']).toBe('public, max-age=1, stale-if-error=5');
    expect(br.headers['content-encoding']).toBe('br');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(zlib.brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(zlib.gunzipSync(gzip.body)).toEqual(plain.body);
    const lists = new Set([br.headers.etag]);
    for (let n = 0; n < 50; n += 1)
      lists.add((await ask(query, { ...more, 'accept-encoding': 'br' })).headers.etag);
    // The list may change meanwhile.
    expect(vi.mocked(zlib.brotliCompress)).toHaveBeenCalledTimes(lists.size);
    expect(lists.size).toBeLessThan(25);
    expect(vi.mocked(zlib.brotliCompressSync)).not.toHaveBeenCalled();

    const wanted = { ...more, 'accept-encoding': 'br', 'if-none-match': String(br.headers.etag) };
    const same = await ask(query, wanted);
    expect([same.status, same.body.length, same.headers.etag === undefined]).toEqual([304, 0, false]);
    const [one] = JSON.parse(plain.body.toString()).sales as { saleId: string }[];
    await db().sale.update({ where: { id: one?.saleId ?? '' }, data: { title: `Other ${_}` } });
    await eventually(async () => expect((await ask(query, wanted)).status).toBe(200));
    expect(asked).toBe(0);
  });

  it('[N11] is compressed for its first page only: strangers make up any number of cursors', async () => {
    const { nextCursor } = JSON.parse((await ask('?limit=2')).body.toString()) as { nextCursor: string };
    vi.clearAllMocks();
    for (const query of [
      `?limit=9&cursor=${nextCursor}`,
      `?cursor=${nextCursor}`,
      '?limit=0012',
      '?x=1&limit=9',
    ])
      for (const more of [{}, NOT_PLAIN]) {
        const { status, headers, body } = await ask(query, { ...more, 'accept-encoding': 'gzip, br' });
        expect([status, headers['content-encoding']], query).toEqual([200, undefined]);
        expect(JSON.parse(body.toString()).sales.length, query).toBeGreaterThan(0);
      }
    for (const compress of [zlib.brotliCompress, zlib.gzip])
      expect(vi.mocked(compress)).not.toHaveBeenCalled();
  });

  it("[L4 N3] is what Next's handler answers, word for word, refusals as well", async () => {
    for (const query of [
      '',
      '?limit=3',
      '?limit=0',
      '?cursor=!',
      '?limit=%00',
      '?x=%00',
      '?limit=3&cursor=AAAA',
    ]) {
      const [own, nexts] = await Promise.all([
        ask(query),
        GET(new Request(`http://shop/api/sales${query}`), { params: Promise.resolve({}) }),
      ]);
      const comparable = (text: string) => text.replace(/"requestId":"[^"]*"/, '');
      expect(own.status, query).toBe(nexts.status);
      expect(comparable(own.body.toString()), query).toBe(comparable(await nexts.text()));
      for (const name of ['content-type', 'cache-control', 'vary'])
        expect(own.headers[name] ?? null, query).toBe(nexts.headers.get(name));
    }
  });
});
