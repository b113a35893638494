import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { listSyncFailures } from '@/lib/queues/list-sync-failures';
import { closeRedis } from '@/lib/redis/client';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { readState } from '@/lib/sale/read-state';
import { configureStock } from '@/lib/stock/configure-stock';
import { eventually } from '@/test/support/eventually';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import { purgeCdn } from './purge-cdn';

/** The tags that each request named, and what the CDN answers to the next ones; then it takes everything. */
let named: string[][] = [];
let answers: [status: number, headers?: Record<string, string>][] = [];
const cdn = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  named.push(JSON.parse(body).tags);
  const [status, headers] = answers.shift() ?? [200];
  response.writeHead(status, headers).end(JSON.stringify({ success: status === 200, errors: [] }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    CDN_VENDOR: 'cloudflare',
    CDN_ZONE: 'zone1',
    CDN_API_TOKEN: 's3cret-s3cret-s3cret',
    CDN_API_URL: `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`,
    // A closed port: this test needs no page to be renewed.
    INNGEST_SERVE_ORIGIN: 'http://127.0.0.1:9',
  });
});
beforeEach(async () => {
  named = [];
  answers = [];
  await db().syncFailure.deleteMany();
});
afterAll(async () => {
  cdn.closeAllConnections();
  cdn.close();
  await Promise.all([closeRedis(), closeDb()]);
});

const failures = async () => (await listSyncFailures(await makeUser('admin'), { limit: 20 })).failures;

describe('a CDN that knows tags', () => {
  it('[K3 A2] is told which tags have changed, by what pages show and by what the state says', async () => {
    const { sale, merchant } = await makeDraft();
    const tags = ['sales', `sale-${sale.slug}`];
    await publishSale(merchant, sale.saleId);
    await eventually(() => expect(named).toEqual([tags]), 20);
    expect((await setSalePaused(merchant, sale.saleId, true)).status).toBe('changed');
    await eventually(() => expect(named).toEqual([tags, tags]), 20);
  });

  it('[K3 B6] what it refused is sent again, and not what it took; the wait it asks for is shown', async () => {
    const slugs = Array.from({ length: 150 }, (_, n) => `lamp-${n}`);
    answers = [[200], [429, { 'retry-after': '5' }], [500]];
    const purged = purgeCdn({ slugs, paths: [] }, [10, 10, 10]);
    await eventually(
      async () => expect(await failures()).toMatchObject([{ name: '/sales/lamp-0 +149', attempts: 1 }]),
      20,
    );
    expect(await purged).toBe(true);
    expect(named.map((tags) => tags.length)).toEqual([100, 51, 51, 51]);
    expect(await failures()).toEqual([]);
  });

  it('[K3 B6] a wrong token is tried once, and the admin area says so', async () => {
    answers = [[403]];
    expect(await purgeCdn({ slugs: ['lamp'], paths: [] }, [10, 10])).toBe(false);
    await eventually(
      async () =>
        expect(await failures()).toMatchObject([{ kind: 'cdn', error: 'answered 403', nextTryAt: null }]),
      20,
    );
    expect(named).toHaveLength(1);
  });

  it('[K3 A3] keeps the state of a sale that waits for ten seconds, and no answer for clocks', async () => {
    const { saleId, epoch } = await createSaleFixture();
    const { slug } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const startsAt = Date.now() + 600_000;
    await configureStock({ saleId, epoch, startsAt });
    await eventually(async () => {
      const { headers, body } = await readState(saleId);
      expect(JSON.parse(body)).toMatchObject({ status: 'scheduled', startsAt });
      expect(headers).toMatchObject({ 'cache-tag': `sale-${slug}`, 'cdn-cache-control': 'max-age=10' });
    }, 20);
    expect(Object.keys((await readState(saleId, true)).headers).sort()).toEqual([
      'cache-control',
      'content-type',
    ]);
  });
});
