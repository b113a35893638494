import type { Redis } from 'ioredis';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { processWide } from '@/lib/process-wide';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { makeDraft, makeSale } from '@/test/support/make-sale';
import { findSaleInfo, forgetSaleInfo, warmSaleInfo } from './find-sale-info';
import { type Reader, type ReaderOrder, startReader } from './testing/start-reader';

const HOUR_MS = 3_600_000;
const oldId = () => newId('sale', Date.now() - HOUR_MS - Math.floor(Math.random() * HOUR_MS));

const readers: Reader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.stop()));
});
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Starts processes that already have their filter and their connections, as after a warm-up. */
async function start(count: number, env: Record<string, string> = {}) {
  const started = await Promise.all(Array.from({ length: count }, () => startReader(env)));
  readers.push(...started);
  await Promise.all(started.map((reader) => reader.ask({ saleId: oldId(), times: 1 })));
  return (order: ReaderOrder) => Promise.all(started.map((reader) => reader.ask(order)));
}

/** Returns every command that reaches this test's Redis database while `work` runs. */
async function commandsDuring(work: () => Promise<void>): Promise<string[][]> {
  const seen: string[][] = [];
  const marker = newId('marker');
  const monitor = await (stockRedis() as Redis).duplicate({ enableAutoPipelining: false }).monitor();
  const database = String((stockRedis() as Redis).options.db);
  const ended = new Promise<void>((resolve) => {
    monitor.on('monitor', (_time: string, args: string[], _source: string, inDatabase: string) => {
      if (args[1] === marker) resolve();
      else if (inDatabase === database) seen.push(args);
    });
  });
  await work();
  await stockRedis().echo(marker);
  await ended;
  monitor.disconnect();
  return seen;
}

describe('a hot sale', () => {
  it('[B3] 6,000 callers in 3 processes ask for a cold key: Postgres is asked once', async () => {
    const { sale } = await makeSale({ title: 'Cold' });
    const ask = await start(3);
    await stockRedis().del(keys.saleInfo(sale.saleId));

    const answers = await ask({ saleId: sale.saleId, times: 2_000 });
    expect(answers.map(({ titles }) => titles)).toEqual([['Cold'], ['Cold'], ['Cold']]);
    const rows = answers.flatMap(({ queries }) => queries).filter((name) => name === 'Sale.findUnique');
    expect(rows).toEqual(['Sale.findUnique']);
    // The other queries are those of the filters for an id this young; they read ids only.
    const looks = answers.map(({ queries }) => queries.filter((name) => name === 'Sale.findMany').length);
    expect(Math.max(...looks)).toBeLessThanOrEqual(1);
  });

  it('[B3 H6] without Redis each process asks Postgres once for all its callers', async () => {
    const { sale } = await makeSale({ title: 'Alone' });
    const ask = await start(1, { REDIS_URL: 'redis://127.0.0.1:9/0' });
    const [answer] = await ask({ saleId: sale.saleId, times: 2_000 });
    expect(answer?.titles).toEqual(['Alone']);
    expect(answer?.queries.filter((name) => name === 'Sale.findUnique')).toHaveLength(1);
  });
});

describe('ids that do not exist', () => {
  it('[B4] 5,000 random ids ask neither Postgres nor Redis', async () => {
    await findSaleInfo(oldId());
    let reads = 0;
    const counting = db().$extends({
      query: {
        $allOperations: ({ args, query }) => {
          reads += 1;
          return query(args);
        },
      },
    });
    const kept = processWide('db', (): { client?: unknown } => ({}));
    const client = kept.client;
    kept.client = counting;
    try {
      const commands = await commandsDuring(async () => {
        const found = await Promise.all(Array.from({ length: 5_000 }, () => findSaleInfo(oldId())));
        expect(found.filter((sale) => sale !== null)).toEqual([]);
      });
      expect(reads).toBe(0);
      expect(commands).toEqual([]);

      // Shows that the counters do count.
      const { sale } = await makeSale();
      await forgetSaleInfo(sale.saleId);
      const counted = await commandsDuring(async () => {
        await findSaleInfo(sale.saleId);
      });
      expect(reads).toBeGreaterThan(0);
      expect(counted.length).toBeGreaterThan(0);
    } finally {
      kept.client = client;
    }
  });

  it('[B5] what passes the filter is kept as missing for a few seconds, and found once it is published', async () => {
    const { sale, merchant } = await makeDraft();
    expect(await findSaleInfo(sale.saleId)).toBeNull();
    expect(await stockRedis().get(keys.saleInfo(sale.saleId))).toBe('null');
    expect(await stockRedis().ttl(keys.saleInfo(sale.saleId))).toBeLessThanOrEqual(5);
    await publishSale(merchant, sale.saleId);
    expect(await findSaleInfo(sale.saleId)).toMatchObject({ saleId: sale.saleId });
  });
});

describe('warming up', () => {
  it('[B2] brings a sale into Redis and this process as Postgres has it, not as the caller does', async () => {
    const { sale } = await makeSale();
    await db().sale.update({ where: { id: sale.saleId }, data: { title: 'Newer' } });
    await forgetSaleInfo(sale.saleId);
    await warmSaleInfo(sale);
    expect(JSON.parse((await stockRedis().get(keys.saleInfo(sale.saleId))) ?? 'null')).toMatchObject({
      title: 'Newer',
    });
    const commands = await commandsDuring(async () => {
      expect((await findSaleInfo(sale.saleId))?.title).toBe('Newer');
    });
    expect(commands).toEqual([]);
  });
});
