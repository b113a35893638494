import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { editProduct } from '@/lib/product/admin/edit-product';
import { listSyncFailures } from '@/lib/queues/list-sync-failures';
import { closeRedis } from '@/lib/redis/client';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { eventually } from '@/test/support/eventually';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import { purgeCdn } from './purge-cdn';
import { readPrewarmList } from './read-prewarm-list';

type Heard = { at: string; method: string; path: string; body: string; type: string };

/** The requests that the web process and the CDN got, in order. */
let heard: Heard[] = [];
let cdnStatus = 204;

const listener = (at: string, statusOf: () => number): Server =>
  createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const type = request.headers['content-type'] ?? '';
    heard.push({ at, method: request.method ?? '', path: request.url ?? '', body, type });
    response.writeHead(statusOf()).end();
  });
const web = listener('web', () => 200);
const cdn = listener('cdn', () => cdnStatus);
const originOf = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  process.env.INNGEST_SERVE_ORIGIN = await originOf(web);
  process.env.CDN_PURGE_URL = `${await originOf(cdn)}/purge?key=s3cret`;
});
beforeEach(async () => {
  heard = [];
  cdnStatus = 204;
  await db().syncFailure.deleteMany();
});
afterAll(async () => {
  web.close();
  cdn.close();
  await Promise.all([closeRedis(), closeDb()]);
});

const pagesOf = (slug: string) => ['/', '/zh-CN', `/sales/${slug}`, `/zh-CN/sales/${slug}`];
const visits = () => heard.filter(({ method }) => method === 'GET').map(({ path }) => path);
const purges = () => heard.filter(({ at }) => at === 'cdn');

describe('after a change that pages show', () => {
  it('[A2] publishing, editing and closing: renewed, visited once in every language, then purged from the CDN', async () => {
    const { sale, merchant } = await makeDraft();
    const { productId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    const changes = [
      () => publishSale(merchant, sale.saleId),
      () => editProduct(merchant, productId, { version: 1, name: 'Lantern, brighter' }),
      () => closeSale(merchant, sale.saleId),
    ];
    for (const change of changes) {
      heard = [];
      await change();
      // The pages are there by the time the merchant gets the answer.
      expect(visits().sort()).toEqual(pagesOf(sale.slug).sort());
      await eventually(() => expect(purges()).toHaveLength(1));
      expect(heard.map(({ path }) => path)[0]).toBe('/api/internal/revalidate');
      expect(heard.at(-1)?.at).toBe('cdn');
      const [purge] = purges();
      expect(purge).toMatchObject({ method: 'POST', path: '/purge?key=s3cret', type: 'application/json' });
      expect(JSON.parse(purge?.body ?? '')).toEqual({ paths: pagesOf(sale.slug) });
    }
  });

  it('[A2] a product: also the page of the campaign that shows its picture', async () => {
    const { sale, merchant } = await makeDraft();
    const { productId, merchantId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    const slug = newId('campaign').replaceAll('_', '-');
    await db().campaign.create({
      data: {
        id: newId('campaign'),
        merchantId,
        slug,
        title: 'Week',
        description: '',
        sales: { connect: { id: sale.saleId } },
      },
    });
    heard = [];
    await editProduct(merchant, productId, { version: 1, name: 'Lantern, brighter' });
    const pages = [...pagesOf(sale.slug), `/campaigns/${slug}`, `/zh-CN/campaigns/${slug}`];
    expect(visits().sort()).toEqual(pages.sort());
  });

  it('[A2] the list of pages to have ready is there to read, for who manages the sale', async () => {
    const { sale, merchant } = await makeDraft();
    const list = await readPrewarmList(merchant, sale.saleId);
    expect(list?.paths).toEqual(pagesOf(sale.slug));
    expect(list?.urls).toEqual(pagesOf(sale.slug).map((path) => `http://localhost:3999${path}`));
    expect(await readPrewarmList(await makeUser('merchant'), sale.saleId)).toBeNull();
    expect(await readPrewarmList(merchant, 'sale_nowhere')).toBeNull();
  });

  it('[A2 B6] a CDN that refuses is asked again, for a limited time, and the admin area shows it until it works', async () => {
    const { sale, merchant } = await makeDraft();
    const purge = { slugs: [sale.slug], paths: pagesOf(sale.slug) };
    const admin = await makeUser('admin');
    const shown = async (actor: Actor = admin) => (await listSyncFailures(actor, { limit: 20 })).failures;

    cdnStatus = 500;
    expect(await purgeCdn(purge, [10, 10])).toBe(false);
    expect(purges()).toHaveLength(3);
    await eventually(async () => expect(await shown()).toMatchObject([{ attempts: 3, nextTryAt: null }]));
    expect(await shown(merchant)).toMatchObject([{ kind: 'cdn', name: `/sales/${sale.slug}` }]);
    const [failure] = await shown();
    expect(failure?.error).toBe('answered 500');

    const again = purgeCdn(purge, [60_000]);
    await eventually(async () => expect((await shown())[0]?.nextTryAt).toBeGreaterThan(Date.now() + 30_000));
    cdnStatus = 200;
    expect(await purgeCdn(purge, [])).toBe(true);
    expect(await shown()).toEqual([]);
    void again;
  });

  it('[A2] one that recovers meanwhile is told then', async () => {
    const { sale } = await makeDraft();
    cdnStatus = 503;
    const purged = purgeCdn({ slugs: [sale.slug], paths: ['/'] }, [100, 100, 100, 100]);
    await eventually(() => expect(purges().length).toBeGreaterThan(0));
    cdnStatus = 200;
    expect(await purged).toBe(true);
    expect(await db().syncFailure.count()).toBe(0);
  });
});
