import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readSettings } from '@/lib/stock/read-settings';
import { readStock } from '@/lib/stock/read-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import { eventually } from '@/test/support/eventually';
import { makeDraft, makeSale, makeUser } from '@/test/support/make-sale';
import { changeLimits } from './change-limits';
import { closeSale } from './close-sale';
import { setSalePaused } from './pause-sale';
import { publishSale } from './publish-sale';
import { restockSale } from './restock-sale';

const phaseOf = async (saleId: string) => {
  const stock = await readStock(saleId);
  return stock && salePhase(stock);
};

describe('publishSale', () => {
  it('[B2] warms up stock, gate and info, and tells the relay', async () => {
    const { sale, merchant } = await makeDraft({ totalStock: 7, limitPerUser: 2 });
    expect(await readStock(sale.saleId)).toBeNull();
    expect(await findSaleInfo(sale.saleId)).toBeNull();

    const result = await publishSale(merchant, sale.saleId);
    expect(result).toMatchObject({ status: 'changed', sale: { status: 'published' } });
    expect(await readStock(sale.saleId)).toMatchObject({
      total: 7,
      available: 7,
      held: 0,
      sold: 0,
      limit: 2,
    });
    expect(JSON.parse((await stockRedis().get(keys.saleInfo(sale.saleId))) ?? '')).toMatchObject({
      title: 'Lantern',
    });
    expect(await stockRedis().sismember(keys.openSales(), sale.saleId)).toBe(1);
  });

  it('[B2] done twice changes nothing more', async () => {
    const { sale, merchant } = await makeSale();
    const before = await readStock(sale.saleId);
    expect(await publishSale(merchant, sale.saleId)).toMatchObject({ status: 'changed' });
    expect(await readStock(sale.saleId)).toEqual({ ...before, serverTime: expect.any(Number) });
  });

  it('[B2] twenty at once load the stock once', async () => {
    const { sale, merchant } = await makeDraft();
    const results = await Promise.all(Array.from({ length: 20 }, () => publishSale(merchant, sale.saleId)));
    expect(results.every((result) => result.status === 'changed')).toBe(true);
    const row = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    expect(await readStock(sale.saleId)).toMatchObject({ epoch: row.epoch, available: 10 });
  });

  it('[L3] is refused to another merchant, who is told nothing', async () => {
    const { sale } = await makeDraft();
    expect(await publishSale(await makeUser('merchant'), sale.saleId)).toEqual({ status: 'not_found' });
    expect(await publishSale(await makeUser('operator'), sale.saleId)).toMatchObject({ status: 'changed' });
  });
});

describe('pause, resume, close', () => {
  it('[C1] act on Redis and Postgres alike', async () => {
    const { sale, merchant } = await makeSale();
    const { saleId } = sale;
    expect(await phaseOf(saleId)).toBe('live');

    await setSalePaused(merchant, saleId, true);
    expect(await phaseOf(saleId)).toBe('paused');
    expect(await findSaleInfo(saleId)).toMatchObject({ paused: true });

    await setSalePaused(merchant, saleId, false);
    expect(await phaseOf(saleId)).toBe('live');

    expect(await closeSale(merchant, saleId)).toMatchObject({
      status: 'changed',
      sale: { status: 'closed' },
    });
    expect(await phaseOf(saleId)).toBe('ended');
    expect(await closeSale(merchant, saleId)).toMatchObject({ status: 'changed' });
    expect(await setSalePaused(merchant, saleId, true)).toEqual({ status: 'wrong_state', is: 'closed' });
    expect(await publishSale(merchant, saleId)).toEqual({ status: 'wrong_state', is: 'closed' });
  });

  it('[C1] a draft can be neither paused nor closed', async () => {
    const { sale, merchant } = await makeDraft();
    expect(await setSalePaused(merchant, sale.saleId, true)).toEqual({ status: 'wrong_state', is: 'draft' });
    expect(await closeSale(merchant, sale.saleId)).toEqual({ status: 'wrong_state', is: 'draft' });
  });

  it('[B2] heal a sale that Redis has lost', async () => {
    const { sale, merchant } = await makeSale();
    await stockRedis().flushdb();
    await setSalePaused(merchant, sale.saleId, true);
    expect(await phaseOf(sale.saleId)).toBe('paused');
  });
});

/** Another transaction holds the sale; once the admin area waits for it, `meanwhile` happens. */
async function whileWaiting<T>(saleId: string, change: () => Promise<T>, meanwhile: () => Promise<unknown>) {
  const turns = new EventEmitter();
  const locked = once(turns, 'locked');
  const busy = db().$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR UPDATE`;
      turns.emit('locked');
      await once(turns, 'free');
    },
    { timeout: 20_000 },
  );
  await locked;
  const changed = change().then(
    () => 'changed',
    (error: unknown) => (isOutage(error) ? 'ask again' : String(error)),
  );
  await eventually(async () => {
    const waiting = await db().$queryRaw`
        SELECT 1 FROM pg_locks
        WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`;
    expect(waiting).toHaveLength(1);
  }, 20);
  await meanwhile();
  turns.emit('free');
  await busy;
  return changed;
}

describe('a sale that Redis loses in the middle of a change', () => {
  it.each<[string, (actor: Actor, saleId: string) => Promise<{ status: string }>]>([
    ['pause', (actor, saleId) => setSalePaused(actor, saleId, true)],
    ['close', closeSale],
    ['restock', (actor, saleId) => restockSale(actor, saleId, -1)],
  ])('[J4] %s: the merchant is told to ask again, and nothing has changed', async (_name, change) => {
    const { sale, merchant } = await makeSale();
    const { saleId } = sale;
    const row = () => db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const before = await row();
    const told = await whileWaiting(
      saleId,
      () => change(merchant, saleId),
      () => stockRedis().del(keys.sale(saleId)),
    );
    expect(told).toBe('ask again');
    expect(await row()).toEqual(before);
    expect(await change(merchant, saleId)).toMatchObject({
      status: expect.stringMatching(/changed|restocked/),
    });
  });
});

describe('a change whose commit fails', () => {
  const limits = { user: { algorithm: 'fixed-window', limit: 1, windowSec: 60 } } as const;

  it.each<[string, (actor: Actor, saleId: string) => Promise<unknown>]>([
    ['pause', (actor, saleId) => setSalePaused(actor, saleId, true)],
    ['limits', (actor, saleId) => changeLimits(actor, saleId, limits)],
  ])('[C8 G1–G3 E3] %s: Redis gets back what Postgres has', async (name, change) => {
    const { sale, merchant } = await makeSale();
    const { saleId } = sale;
    const before = await readSettings(saleId);
    const refuse = `refuse_${name}`;
    await db().$executeRawUnsafe(`
      CREATE FUNCTION ${refuse}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the server went away'; END $$`);
    await db().$executeRawUnsafe(`
      CREATE CONSTRAINT TRIGGER ${refuse} AFTER UPDATE ON sales DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (OLD.id = '${saleId}') EXECUTE FUNCTION ${refuse}()`);
    try {
      await expect(change(merchant, saleId)).rejects.toThrow('the server went away');
      expect(await readSettings(saleId)).toEqual(before);
    } finally {
      await db().$executeRawUnsafe(`DROP TRIGGER ${refuse} ON sales`);
    }
    expect(await change(merchant, saleId)).toMatchObject({ status: 'changed' });
    expect(await readSettings(saleId)).not.toEqual(before);
  });
});

describe('restockSale', () => {
  const both = async (saleId: string) => {
    const stock = await readStock(saleId);
    const row = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    return { redis: stock?.total, available: stock?.available, postgres: row.totalStock };
  };

  it('[C5] adds and takes back units in both places', async () => {
    const { sale, merchant } = await makeSale({ totalStock: 10 });
    expect(await restockSale(merchant, sale.saleId, 5)).toEqual({
      status: 'restocked',
      stock: { total: 15, available: 15, held: 0, sold: 0 },
    });
    await restockSale(merchant, sale.saleId, -12);
    expect(await both(sale.saleId)).toEqual({ redis: 3, available: 3, postgres: 3 });
  });

  it('[C5] never below what is held or sold, and then changes nothing', async () => {
    const { sale, merchant } = await makeSale({ totalStock: 10 });
    await stockRedis().hset(keys.sale(sale.saleId), { available: 4, held: 6 });
    // Postgres has no orders for the six yet: Redis refuses, and Postgres is rolled back.
    expect(await restockSale(merchant, sale.saleId, -5)).toEqual({ status: 'below_committed', available: 4 });
    expect(await both(sale.saleId)).toEqual({ redis: 10, available: 4, postgres: 10 });

    await db().sale.update({ where: { id: sale.saleId }, data: { heldStock: 6 } });
    expect(await restockSale(merchant, sale.saleId, -5)).toEqual({ status: 'below_committed', available: 4 });
    expect(await both(sale.saleId)).toEqual({ redis: 10, available: 4, postgres: 10 });
  });

  it('[C8 E3] a commit that fails leaves Redis with nothing Postgres does not have', async () => {
    const { sale, merchant } = await makeSale({ totalStock: 10 });
    const { saleId } = sale;
    await db().$executeRaw`
      CREATE FUNCTION refuse_restock() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the server went away'; END $$`;
    // The check is deferred, so the commit fails, after everything else has been done.
    await db().$executeRaw`
      CREATE CONSTRAINT TRIGGER refuse_restock AFTER UPDATE ON sales DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (OLD.total_stock <> NEW.total_stock) EXECUTE FUNCTION refuse_restock()`;
    try {
      await expect(restockSale(merchant, saleId, 5)).rejects.toThrow('the server went away');
      expect(await both(saleId)).toEqual({ redis: 10, available: 10, postgres: 10 });
      const back = () => restockSale(merchant, saleId, -3, { requestId: 'once-more' });
      await expect(back()).rejects.toThrow('the server went away');
      expect(await both(saleId)).toEqual({ redis: 7, available: 7, postgres: 10 });
      await db().$executeRaw`ALTER TABLE sales DISABLE TRIGGER refuse_restock`;
      expect(await back()).toMatchObject({ status: 'restocked', stock: { total: 7 } });
      expect(await both(saleId)).toEqual({ redis: 7, available: 7, postgres: 7 });
    } finally {
      await db().$executeRaw`DROP TRIGGER refuse_restock ON sales`;
    }
  });

  it('[C8 E3] a Redis that answers too late does not have the merchant add units twice', async () => {
    const { sale, merchant } = await makeSale({ totalStock: 10 });
    await stockRedis().call('CLIENT', 'PAUSE', '2600', 'WRITE');
    expect(await restockSale(merchant, sale.saleId, 5)).toEqual({
      status: 'restocked',
      stock: { total: 15, available: 15, held: 0, sold: 0 },
    });
    await expect.poll(() => both(sale.saleId)).toEqual({ redis: 15, available: 15, postgres: 15 });
  });

  it('[C5 F2] the same request again, or five times at once, changes the stock once', async () => {
    const { sale, merchant } = await makeSale({ totalStock: 10 });
    const { saleId } = sale;
    const add = (delta: number, requestId: string) => restockSale(merchant, saleId, delta, { requestId });
    const once = { status: 'restocked', stock: { total: 15, available: 15, held: 0, sold: 0 } };
    const all = await Promise.all(Array.from({ length: 5 }, () => add(5, 'request-1')));
    expect(all).toEqual(all.map(() => expect.objectContaining({ status: 'restocked' })));
    expect(await add(5, 'request-1')).toEqual(once);
    expect(await both(saleId)).toEqual({ redis: 15, available: 15, postgres: 15 });
    // Other units under the same name are refused; in another sale it is another name.
    expect(await add(-12, 'request-1')).toEqual({ status: 'made_otherwise' });
    for (const _ of [1, 2]) await add(-12, 'request-of-its-own');
    expect(await both(saleId)).toEqual({ redis: 3, available: 3, postgres: 3 });
    const other = await makeSale({ totalStock: 10 });
    await restockSale(other.merchant, other.sale.saleId, 5, { requestId: 'request-1' });
    expect(await both(other.sale.saleId)).toMatchObject({ redis: 15, postgres: 15 });
    // A refused change was not made, so the same request can be made again.
    expect(await add(-4, 'request-2')).toMatchObject({ status: 'below_committed' });
    await add(2, 'request-3');
    expect(await add(-4, 'request-2')).toMatchObject({ status: 'restocked' });
    expect(await both(saleId)).toEqual({ redis: 1, available: 1, postgres: 1 });
    const entries = await db().auditEntry.count({ where: { subjectId: saleId, action: 'sale.restock' } });
    expect(entries).toBe(4);
  });

  it('[C5] adds nothing to a sale that is over, and takes back what is left of it', async () => {
    const now = Date.now();
    const { sale, merchant } = await makeSale({ startsAt: now - 60_000, endsAt: now - 1_000 });
    expect(await restockSale(merchant, sale.saleId, 5)).toEqual({ status: 'over' });
    expect(await restockSale(merchant, sale.saleId, -10)).toMatchObject({ status: 'restocked' });
    expect(await both(sale.saleId)).toEqual({ redis: 0, available: 0, postgres: 0 });
  });

  it('[C1] has nothing to do for unlimited stock', async () => {
    const { sale, merchant } = await makeSale({ totalStock: -1 });
    expect(await restockSale(merchant, sale.saleId, 5)).toEqual({ status: 'unlimited' });
  });

  it('[C5] refuses more than a billion units', async () => {
    const { sale, merchant } = await makeSale({ totalStock: 999_999_999 });
    expect(await restockSale(merchant, sale.saleId, 2)).toMatchObject({ status: 'too_many' });
  });
});
