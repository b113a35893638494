import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { closeDb, db } from '@/lib/db/client';
import type { Reply } from '@/lib/http/reply';
import { newId } from '@/lib/ids/new-id';
import { editProduct } from '@/lib/product/admin/edit-product';
import { buy, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { publishChanges, readListEntries, takeListTurn } from '@/lib/sale/records/published-list';
import { eventually } from '@/test/support/eventually';
import { makeDraft, makeSale } from '@/test/support/make-sale';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { type Link, openLink } from '@/tools/harness/stack/link';

let redis: StockRedis;
let postgres: Link;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  redis = await startStockRedis();
  postgres = await openLink(process.env.DATABASE_URL ?? '');
  process.env.REDIS_URL = redis.url;
  process.env.DATABASE_URL = postgres.url;
});
beforeEach(async () => {
  await db().$executeRaw`TRUNCATE sales CASCADE`;
  await stockRedis().flushdb();
});
afterEach(async () => {
  postgres.heal();
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await Promise.all([closeRedis(), closeDb(), postgres.stop()]);
  await redis.stop();
});

/** Loads the modules of the list a second time, as another process would have them. */
async function openProcess() {
  vi.resetModules();
  const { publishSales, helpPublishing } = await import('./publish-sales');
  const { answerSales } = await import('./answer-sales');
  const { lookAtSales, followedSales } = await import('./follow-sales');
  const ask = async (query = 'limit=100') => {
    const { status, body } = await (answerSales(query) as Reply | Promise<Reply>);
    return {
      status,
      ...(JSON.parse(body) as { sales: LiveSale[]; nextCursor: string | null; code?: string }),
    };
  };
  const titles = async () => (await ask()).sales?.map(({ title }) => title);
  return { publishSales, helpPublishing, answerSales, lookAtSales, followedSales, ask, titles };
}
type Process = Awaited<ReturnType<typeof openProcess>>;

/** Publishes as a worker does, until stopped. Like a killed worker, it does not give the turn back. */
function startWorker({ publishSales }: Process): () => Promise<void> {
  let isStopped = false;
  const working = (async () => {
    while (!isStopped) {
      await publishSales();
      await delay(50);
    }
  })();
  const stop = () => {
    isStopped = true;
    return working;
  };
  stops.push(stop);
  return stop;
}

const soon = <T>(check: () => T) => eventually(check);
/** Publishes once. A worker whose turn ran out meanwhile, as on a machine that stood still, takes it anew. */
const publish = ({ publishSales }: Process) => soon(async () => expect(await publishSales()).toBe(true));
const firstOf = async (process: Process) => (await process.ask()).sales[0];

describe('the list of sales that every process follows', () => {
  it('[A1 L4] is empty where there are no sales, and there as soon as anybody has published', async () => {
    const [own, other] = [await openProcess(), await openProcess()];
    expect(await own.ask()).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    await soon(async () => {
      await own.publishSales({ keepsTurn: false });
      for (const one of [own, other])
        expect(await one.ask()).toEqual({ status: 200, sales: [], nextCursor: null });
    });
  });

  it('[A1 L4] shows in every process what the admin area has published, edited, paused and closed, and no draft', async () => {
    const [worker, one, two] = [await openProcess(), await openProcess(), await openProcess()];
    startWorker(worker);
    const { sale, merchant } = await makeDraft();
    const everywhere = (expected: unknown) =>
      soon(async () => {
        for (const process of [one, two]) expect(await firstOf(process)).toEqual(expected);
      });
    await everywhere(undefined);
    expect(one.followedSales().list.idOf(sale.slug)).toBeUndefined();

    await publishSale(merchant, sale.saleId);
    await everywhere(
      expect.objectContaining({ slug: sale.slug, status: 'live', stock: { total: 10, available: 10 } }),
    );
    expect(two.followedSales().list.idOf(sale.slug)).toBe(sale.saleId);
    const { productId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    await editProduct(merchant, productId, { version: 1, imageUrl: '/products/lamp.svg' });
    await everywhere(expect.objectContaining({ imageUrl: '/products/lamp.svg' }));
    await setSalePaused(merchant, sale.saleId, true);
    await everywhere(expect.objectContaining({ status: 'paused' }));
    await closeSale(merchant, sale.saleId);
    await everywhere(expect.objectContaining({ status: 'ended' }));
  });

  it('[A3 L4] shows what is left of a sale as it sells, while the worker dies and another takes over', async () => {
    const [first, second, follower] = [await openProcess(), await openProcess(), await openProcess()];
    const sale = await createSaleFixture({ total: 4, users: 4 });
    const left = async () => (await firstOf(follower))?.stock.available;
    const stopFirst = startWorker(first);
    await soon(async () => expect(await left()).toBe(4));
    const [one, two, three] = sale.userIds as [string, string, string];
    await buy(sale, one);
    await soon(async () => expect(await left()).toBe(3));

    startWorker(second);
    // One of the two workers has the turn, and keeps it while the other asks.
    await soon(async () => {
      const owner = await stockRedis().get(keys.listTurn());
      expect(owner).not.toBeNull();
      await delay(300);
      expect(await stockRedis().get(keys.listTurn())).toBe(owner);
    });
    await stopFirst();
    await buy(sale, two);
    await soon(async () => expect(await left()).toBe(2));
    await buy(sale, three);
    await soon(async () => expect(await left()).toBe(1));
    await soon(async () => expect((await follower.ask()).status).toBe(200));
  });

  it('[L4] whoever was stopped in the middle cannot bring back what was', async () => {
    const take = async (owner: string) => {
      await stockRedis().del(keys.listTurn());
      expect(await takeListTurn(owner)).toBe(true);
      // However long the machine stands still.
      await stockRedis().persist(keys.listTurn());
    };
    await take('one');
    const made = await publishChanges('one', { generation: 'g', n: -1 }, [['sale_1', '{"v":1}']]);
    expect(made).toEqual({ generation: 'g', n: 0 });
    await take('two');
    expect(await publishChanges('one', { generation: 'g', n: 0 }, [['sale_1', '{"v":0}']])).toBeNull();
    expect(await publishChanges('two', { generation: 'g', n: 0 }, [['sale_1', '{"v":2}']])).toMatchObject({
      n: 1,
    });
    // It has the turn again, but still knows only the earlier state.
    await take('one');
    expect(await publishChanges('one', { generation: 'g', n: 0 }, [['sale_1', '{"v":0}']])).toBeNull();
    expect(await publishChanges('one', { generation: 'other', n: 1 }, [['sale_1', '{"v":0}']])).toBeNull();
    expect(await stockRedis().hget(keys.saleList(), 'sale_1')).toBe('{"v":2}');
    expect(await readListEntries(null)).toMatchObject([{ n: 1, changes: [['sale_1', '{"v":2}']] }]);
  });

  it('[B2 L4] is made anew after Redis has lost it: no process keeps what is no longer there', async () => {
    const [worker, follower] = [await openProcess(), await openProcess()];
    startWorker(worker);
    const [{ sale: kept }, { sale: removed }] = [
      await makeSale({ title: 'A' }),
      await makeSale({ title: 'B' }),
    ];
    await soon(async () => expect((await follower.titles())?.sort()).toEqual(['A', 'B']));
    await stockRedis().flushdb();
    await db().$executeRaw`DELETE FROM sales WHERE id = ${removed.saleId}`;
    await soon(async () => expect(await follower.titles()).toEqual(['A']));
    expect(follower.followedSales().list.idOf(removed.slug)).toBeUndefined();
    expect(follower.followedSales().list.idOf(kept.slug)).toBe(kept.saleId);
  });

  it('[L4] takes in only what has changed, and everything when it has missed some of it', async () => {
    const [worker, follower] = [await openProcess(), await openProcess()];
    const { sale } = await makeSale({ title: 'A' });
    await publish(worker);
    await soon(async () => expect(await follower.titles()).toEqual(['A']));
    const version = follower.followedSales().list.version();
    await publish(worker);
    await follower.lookAtSales();
    expect(follower.followedSales().list.version()).toBe(version);

    for (const title of ['B', 'C', 'D']) {
      await db().sale.update({ where: { id: sale.saleId }, data: { title } });
      await publish(worker);
    }
    await stockRedis().xtrim(keys.saleListChanges(), 'MAXLEN', 1);
    await follower.lookAtSales();
    expect(await follower.titles()).toEqual(['D']);
  });

  it('[A3] a sale begins and ends by the clock, with nobody publishing', async () => {
    const [worker, follower] = [await openProcess(), await openProcess()];
    // Null: nobody has published for so long that the list is refused; the machine stood still.
    const watch = async () => {
      const startsAt = Date.now() + 3_000;
      await makeSale({ startsAt, endsAt: startsAt + 2_000 });
      await publish(worker);
      const seen: string[] = [];
      let isOld = false;
      await soon(async () => {
        const { status, sales } = await follower.ask();
        isOld = status === 503;
        if (isOld) return;
        // The follower may not have heard of it yet.
        if (sales[0]) seen.push(sales[0].status);
        expect(seen.at(-1)).toBe('ended');
      });
      return isOld ? null : seen;
    };
    let seen = await watch();
    for (let tries = 1; seen === null && tries < 5; tries += 1) {
      await db().$executeRaw`TRUNCATE sales CASCADE`;
      seen = await watch();
    }
    // They must come in this order; a slow machine may miss one.
    const order = ['scheduled', 'live', 'ended'].filter((one) => seen?.includes(one));
    expect(order).toContain('ended');
    expect(seen?.filter((one, at) => one !== seen?.[at - 1])).toEqual(order);
    const { headers } = await follower.answerSales('');
    expect(headers['cache-control']).toBe('public, max-age=1, stale-if-error=5');
  });

  it('[B2] Redis silent: as it was, for at most 10 s, then 503; and again when it is back', async () => {
    const [worker, follower] = [await openProcess(), await openProcess()];
    startWorker(worker);
    await makeSale({ title: 'A' });
    await soon(async () => expect(await follower.titles()).toEqual(['A']));
    // So old it is at most when Redis falls silent.
    const { ageMs } = follower.followedSales();
    const frozenAt = performance.now();
    redis.freeze();
    try {
      const before = await follower.ask();
      expect(before).toMatchObject({ status: 200, sales: [{ title: 'A' }] });
      await soon(async () => expect((await follower.ask()).status).toBe(503));
      expect(performance.now() - frozenAt + ageMs).toBeGreaterThan(8_000);
    } finally {
      redis.thaw();
    }
    await soon(async () => expect(await follower.titles()).toEqual(['A']));
  });

  it('[B2] Postgres away: Redis goes on selling and the list goes on showing what is left', async () => {
    const [worker, follower] = [await openProcess(), await openProcess()];
    startWorker(worker);
    const sale = await createSaleFixture({ total: 4, users: 1 });
    const startsAt = Date.now() + 3_600_000;
    await makeSale({
      title: 'Sold by Postgres',
      strategy: 'database',
      startsAt,
      endsAt: startsAt + 60_000,
    });
    await soon(async () => expect((await firstOf(follower))?.stock.available).toBe(4));
    await soon(async () => expect(await follower.titles()).toContain('Sold by Postgres'));
    postgres.cut();
    await buy(sale, sale.userIds[0] as string);
    await soon(async () => expect((await firstOf(follower))?.stock.available).toBe(3));
    await soon(async () => expect(await follower.titles()).toContain('Sold by Postgres'));
  });

  it('[B2] Postgres away when everything starts: nobody knows what sales there are', async () => {
    const [worker, follower] = [await openProcess(), await openProcess()];
    await makeSale();
    postgres.cut();
    expect(await worker.publishSales()).toBe(false);
    expect(await follower.ask()).toMatchObject({ status: 503 });
    postgres.heal();
    await publish(worker);
    expect((await follower.ask()).sales).toHaveLength(1);
  });

  it('[B2] a list that was left behind is as old as it is, also for a process that has just started', async () => {
    const worker = await openProcess();
    await makeSale();
    await publish(worker);
    await stockRedis().hincrby(keys.saleList(), '@at', -11_000);
    const follower = await openProcess();
    expect(await follower.ask()).toMatchObject({ status: 503 });
  });

  it('[L4] without a worker a process that renders pages publishes, and makes room for one', async () => {
    const [next, worker, follower] = [await openProcess(), await openProcess(), await openProcess()];
    await makeSale({ title: 'A' });
    await next.helpPublishing();
    expect(await follower.titles()).toEqual(['A']);
    // A worker keeps its turn for two seconds.
    await soon(async () => {
      expect(await worker.publishSales()).toBe(true);
      expect(await stockRedis().get(keys.listTurn())).not.toBeNull();
      expect(await next.publishSales({ keepsTurn: false })).toBe(false);
    });
  });

  it('[L4 K2] a thousand sales: every one once, page by page, none of them asked of Postgres or Redis for an answer', async () => {
    const [worker, follower] = [await openProcess(), await openProcess()];
    const { saleId } = await createSaleFixture();
    await db().$executeRaw`
      INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                         starts_at, ends_at, entry_opens_at, payment_window_sec, status, epoch, gate, published_at)
      SELECT 'sale_' || n, product_id, merchant_id, 'slug-' || n, title, price_minor, currency, total_stock, limit_per_user,
             starts_at + n * interval '1 second', ends_at, entry_opens_at, payment_window_sec, status, epoch, gate, now()
        FROM sales, generate_series(1, 999) n WHERE id = ${saleId}`;
    // The process of the test above that helps publishing has the turn now and then.
    await publish(worker);
    // Goes on, or the list would be too old on a slow machine.
    startWorker(worker);
    await follower.lookAtSales();
    const met: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await soon(async () => {
        const asked = await follower.ask(`limit=77&cursor=${cursor}`);
        expect(asked.status).toBe(200);
        return asked;
      });
      met.push(...page.sales.map((sale) => sale.saleId));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(new Set(met).size).toBe(1_000);
    expect(met).toHaveLength(1_000);
    // The answers come without a promise, so no store was asked for them. A standstill makes the list older than that.
    await soon(async () => {
      await follower.lookAtSales();
      expect(follower.answerSales('limit=50')).toMatchObject({ status: 200 });
      expect(follower.answerSales('limit=50')).toBe(follower.answerSales('limit=50'));
    });
  });

  it('[N3] nonsense is refused whether the list is there or not', async () => {
    const follower = await openProcess();
    const nonsense = [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'cursor=a%20b',
      `cursor=${'x'.repeat(201)}`,
    ];
    const refused = async () => {
      for (const query of [...nonsense, 'cursor=%00', 'limit=%00', 'x=%00'])
        expect(await follower.ask(query), query).toMatchObject({ status: 422, code: 'VALIDATION' });
    };
    await refused();
    await follower.publishSales();
    await refused();
    const harmless = [
      '',
      'x=1',
      'limit=',
      'cursor=',
      'limit=1&limit=x',
      `cursor=${newId('x')}`,
      '%',
      '&&=',
      '?',
    ];
    for (const query of harmless)
      await soon(async () => {
        await follower.publishSales();
        expect((await follower.ask(query)).status, query).toBe(200);
      });
  });
});
