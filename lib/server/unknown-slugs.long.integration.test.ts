import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { keepPublishing, publishNow } from '@/lib/purchase/testing/listed-now';
import { closeRedis } from '@/lib/redis/client';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { keepFollowingSales } from '@/lib/sale/follow-sales';
import { expectPages, mayHavePage } from '@/lib/sale/known-slugs';
import { findSalePage } from '@/lib/sale/records/find-sale-page';
import { eventually } from '@/test/support/eventually';
import { makeDraft, makeSale } from '@/test/support/make-sale';
import { createWebServer, type WebServer } from './create-server';
import { createSiteMap, MISSING_PAGE } from './site-map';
import { rawGet } from './testing/raw-get';
import { standInForNext } from './testing/stand-in-next';
import type { Upstream } from './upstream';

/** The addresses Next was asked for. */
let asked: string[] = [];
let next: Upstream;
let web: WebServer;
let origin: string;
let stopPublishing: () => Promise<void>;

const startPublishing = async () => {
  await publishNow();
  stopPublishing = keepPublishing();
};

beforeAll(async () => {
  next = await standInForNext(async (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const slug = /\/sales\/([^/?]+)/.exec(path)?.[1];
    const isThere =
      path.endsWith('/missing') || (slug !== undefined && (await findSalePage(slug, 'en')) !== null);
    response.writeHead(isThere ? 200 : 404, {
      'content-type': 'text/html',
      'cache-control': isThere ? 's-maxage=3600' : 'no-store',
    });
    response.end(path);
  });
  const pages = ['/sales/[slug]', MISSING_PAGE];
  web = createWebServer({
    next: next.forward,
    ask: (path) => next.call('GET', path, {}),
    site: createSiteMap({ pages, interfaces: [], redirects: [], files: [] }, mayHavePage),
    hasFastPath: true,
    commonHeaders: [],
  });
  await new Promise<void>((resolve) => web.server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
  keepFollowingSales();
});
beforeEach(async () => {
  await startPublishing();
  asked = [];
});
afterEach(() => stopPublishing());
afterAll(async () => {
  web.closeAll();
  web.server.close();
  next.close();
  await Promise.all([closeRedis(), closeDb()]);
});

const statusOf = async (path: string) => (await rawGet(origin + path)).status;
const soon = (check: () => unknown) => eventually(check);

describe('addresses of sales that do not exist', () => {
  it('[B4 N11] two thousand of them cost one page per language: Next and Postgres hear of none', async () => {
    await makeSale();
    await soon(() => expect(mayHavePage('/sales/[slug]', 'nothing-here')).toBe(false));
    const kinds: [path: (n: number) => string, headers: Record<string, string>, method: string][] = [
      [(n) => `/sales/random-${n}`, {}, 'GET'],
      [(n) => `/zh-CN/sales/random-${n}`, {}, 'GET'],
      [(n) => `/sales/random-${n}?_rsc=${n}`, { rsc: '1', 'next-router-prefetch': '1' }, 'GET'],
      [(n) => `/sales/random-${n}`, {}, 'HEAD'],
    ];
    for (const [pathOf, headers, method] of kinds) {
      for (let n = 0; n < 500; n += 25) {
        const answers = await Promise.all(
          Array.from({ length: 25 }, (_, at) => rawGet(origin + pathOf(n + at), headers, { method })),
        );
        for (const answer of answers) {
          expect(answer.status).toBe(404);
          expect(answer.headers['cache-control']).toBe('no-store');
        }
      }
    }
    const others = asked.filter((path) => !path.endsWith(MISSING_PAGE));
    // Normally none; some if this machine was too slow to keep the list fresh for a moment.
    expect(others.length).toBeLessThan(200);
    expect(asked.length - others.length).toBeLessThanOrEqual(2);
  });

  it('[A2 B4] a sale is there as soon as it is published, and a draft is not', async () => {
    const { sale, merchant } = await makeDraft();
    const path = `/sales/${sale.slug}`;
    await soon(async () => expect(await statusOf('/sales/none')).toBe(404));
    expect(await statusOf(path)).toBe(404);
    await publishSale(merchant, sale.saleId);
    await soon(async () => expect(await statusOf(path)).toBe(200));
    expect(await statusOf(`/zh-CN${path}`)).toBe(200);
  });

  it('[A2] whoever has published it finds it at once, whatever the list says', async () => {
    const { sale, merchant } = await makeDraft();
    const path = `/sales/${sale.slug}`;
    await soon(() => expect(mayHavePage('/sales/[slug]', sale.slug)).toBe(false));
    stopPublishing();
    await publishSale(merchant, sale.saleId);
    // As the web process does when Next reports which pages it has renewed.
    expectPages(['/', path, `/zh-CN${path}`]);
    expect(await statusOf(path)).toBe(200);
    await startPublishing();
    const { slug } = await db().sale.findFirstOrThrow({ where: { id: sale.saleId } });
    await soon(async () => expect(await statusOf(`/zh-CN/sales/${slug}`)).toBe(200));
  });

  it('[B2] a process whose list is old says nothing of its own: Next is asked', async () => {
    stopPublishing();
    await soon(() => expect(mayHavePage('/sales/[slug]', 'of-old')).toBe(true));
    asked = [];
    expect(await statusOf('/sales/of-old')).toBe(404);
    expect(asked).toContain('/sales/of-old');
  });
});
