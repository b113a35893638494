import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { newId } from '@/lib/ids/new-id';
import { createOrderNoSource } from '@/lib/ids/order-no';
import { orderNoOf } from '@/lib/ids/order-no-of';
import { SHARD_COUNT, shardOf } from '@/lib/ids/shard-of';
import { createDatabase, type TestDatabase } from '@/test/support/create-database';

const DOCUMENT = readFileSync(join(import.meta.dirname, 'SHARDING.md'), 'utf8');
/** Whose rows belong to one order or its buyer, and would lie with it. */
const OF_ORDERS = [
  'orders',
  'payments',
  'order_events',
  'payment_events',
  'processed_messages',
  'outgoing_messages',
  'dead_letters',
  'points_entries',
  'memberships',
  'notifications',
  'reservations',
  'sandbox_payments',
  'stripe_sessions',
  'mollie_payments',
];

const SANDBOX = { usual: 'sandbox', named: [] };
const query = async (url: string, sql: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
};

it('[K2] SHARDING.md names each unique constraint and each trigger that a distributed table could not have', async () => {
  const url = process.env.DATABASE_URL ?? '';
  const unique = await query(
    url,
    `SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace AND NOT t.relispartition AND t.relname = ANY ($1)
       AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum = ANY (x.indkey) AND a.attname = 'shard')`,
    [OF_ORDERS],
  );
  // Bit 0 of the type: for each row.
  const triggers = await query(
    url,
    `SELECT g.tgname AS name FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
     WHERE NOT g.tgisinternal AND NOT t.relispartition AND t.relname = ANY ($1) AND g.tgtype & 1 = 0`,
    [OF_ORDERS],
  );
  const names = [...unique, ...triggers].map(({ name }) => name).sort();
  const named = [...DOCUMENT.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name).sort();
  expect(named).toEqual(names);
});

/** The verbs of an order's life, over one of two databases. */
async function openShop(url: string) {
  process.env.DATABASE_URL = url;
  vi.resetModules();
  (globalThis as { seckillStates?: unknown }).seckillStates = undefined;
  const [client, write, pay, sell, expire, open, read, history] = await Promise.all([
    import('@/lib/db/client'),
    import('@/lib/order/records/write-orders'),
    import('@/lib/order/records/pay-at-once'),
    import('@/lib/order/records/count-paid-as-sold'),
    import('@/lib/order/records/expire-orders'),
    import('@/lib/order/records/open-payment'),
    import('@/lib/order/records/read-rows'),
    import('@/lib/order/records/read-history'),
  ]);
  // Opens the connections under this address.
  await client.db().$queryRaw`SELECT 1`;
  return { url, ...client, ...write, ...pay, ...sell, ...expire, ...open, ...read, ...history };
}
type Shop = Awaited<ReturnType<typeof openShop>>;

describe('orders in two databases, by the gene', () => {
  const TOTAL = 40;
  const databases: TestDatabase[] = [];
  const shops: Shop[] = [];
  const ownUrl = process.env.DATABASE_URL;
  const sale = { saleId: newId('sale'), epoch: 1 };
  const users = Array.from({ length: TOTAL }, () => newId('user'));
  const numbers = createOrderNoSource({ workerId: 1 });
  /** The lower half of the shards lies in the first database. */
  const placeOf = (shard: number) => shops[shard < SHARD_COUNT / 2 ? 0 : 1] as Shop;
  const shopOfOrder = (orderNo: string) => placeOf(Number(BigInt(orderNo) % BigInt(SHARD_COUNT)));
  const shopOfUser = (userId: string) => placeOf(shardOf(userId));
  const orders = users
    .map((userId) => ({
      saleId: sale.saleId,
      orderNo: String(numbers.next(shardOf(userId))),
      userId,
      quantity: 1,
      jti: newId('jti'),
      epoch: 1,
      acceptedAt: Date.now(),
    }))
    .sort((a, b) => (BigInt(a.orderNo) < BigInt(b.orderNo) ? -1 : 1));
  const of = (shop: Shop) => orders.filter(({ orderNo }) => shopOfOrder(orderNo) === shop);
  const callback = (orderNo: string) => ({
    webhookId: newId('msg'),
    type: 'payment.succeeded',
    paymentId: `pay_${orderNo}`,
    amountMinor: 100,
    currency: 'EUR',
    payload: {},
  });
  const books = async () =>
    Promise.all(
      shops.map(
        async ({ url }) => (await query(url, 'SELECT held_stock AS held, sold_stock AS sold FROM sales'))[0],
      ),
    );

  beforeAll(async () => {
    for (const name of ['low', 'high']) {
      const database = await createDatabase(inject('databaseUrl'), `${name}_${process.pid}`, 'migrated');
      databases.push(database);
      shops.push(await openShop(database.url));
    }
    // The sale and its product are in both; a user is where the orders are; each has its share of the units.
    for (const shop of shops) {
      const here = users.filter((userId) => shopOfUser(userId) === shop);
      await query(
        shop.url,
        `INSERT INTO users (id, email, name, password_hash) SELECT id, id || '@example.com', 'U', '!' FROM unnest($1::text[]) AS id`,
        [['merchant', ...here]],
      );
      await query(
        shop.url,
        "INSERT INTO products (id, merchant_id, slug, name, description) VALUES ('p', 'merchant', 'p', 'P', '')",
      );
      await query(
        shop.url,
        `INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user, starts_at,
                            ends_at, entry_opens_at, payment_window_sec, gate, status, epoch)
         VALUES ($1, 'p', 'merchant', 's', 'S', 100, 'EUR', $2, 1, now(), now() + interval '1 hour', now(), 900, 'g', 'published', 1)`,
        [sale.saleId, of(shop).length],
      );
    }
  });
  afterAll(async () => {
    for (const { closeDb } of shops) await closeDb();
    for (const { drop } of databases) await drop();
    process.env.DATABASE_URL = ownUrl;
  });

  it('[K2] an order is written, paid, counted and found by its number, its buyer and its payment, in one of them', async () => {
    expect(shops.map((shop) => of(shop).length > 5)).toEqual([true, true]);
    for (const shop of shops) expect((await shop.writeOrders(of(shop), SANDBOX)).count).toBe(of(shop).length);
    for (const { orderNo, userId } of orders) {
      const shop = shopOfOrder(orderNo);
      expect(shop).toBe(shopOfUser(userId));
      expect(await shop.openPayment(userId, orderNo)).toMatchObject({ paymentId: `pay_${orderNo}` });
      const event = callback(orderNo);
      const byPayment = shopOfOrder(orderNoOf(event.paymentId) ?? '');
      expect(
        await byPayment.payAtOnce('sandbox', event, orderNo, [
          { topic: 'orders/paid', payload: { saleId: '', orderNo } },
        ]),
      ).toBe(true);
      // The same callback again finds the payment settled.
      await expect(byPayment.payAtOnce('sandbox', event, orderNo, [])).resolves.toBe(false);
      expect(
        (await shop.readRows({ userId, upTo: 2n ** 63n - 1n, most: 5 }))?.map(({ id }) => String(id)),
      ).toEqual([orderNo]);
    }
    for (const shop of shops) {
      const sold = await shop.countPaidAsSold(
        sale.saleId,
        of(shop).map(({ orderNo }) => orderNo),
      );
      expect(sold.counted).toBe(of(shop).length);
      expect(await shop.expireOrders(of(shop).map(({ orderNo }) => orderNo))).toEqual([]);
    }
    expect(await books()).toEqual(shops.map((shop) => ({ held: 0, sold: of(shop).length })));
    const [first] = orders;
    expect(
      (await shopOfOrder(first?.orderNo ?? '').readHistory(first?.orderNo ?? ''))?.events.at(-1)?.to,
    ).toBe('paid');
  });

  it('[K2] what is sent to the wrong one changes nothing', async () => {
    const [low, high] = shops as [Shop, Shop];
    const [order] = of(low);
    if (!order) throw new Error('no order in the first half');
    const before = await books();
    expect(await high.payAtOnce('sandbox', callback(order.orderNo), order.orderNo, [])).toBe(false);
    expect(await high.openPayment(order.userId, order.orderNo)).toBeNull();
    expect(await high.countPaidAsSold(sale.saleId, [order.orderNo])).toEqual({ orders: [], counted: 0 });
    // A batch with buyers of both: neither has all of them.
    await expect(high.writeOrders([order], SANDBOX)).rejects.toThrow();
    expect(await books()).toEqual(before);
  });

  it('[K2] crossing: each counts only its own units, so one refuses what the other has free', async () => {
    const [low] = shops as [Shop];
    const [userId] = users.filter((id) => shopOfUser(id) === low);
    await query(shops[1]?.url ?? '', 'UPDATE sales SET total_stock = total_stock + 10');
    await query(low.url, 'UPDATE sales SET limit_per_user = 2');
    const more = {
      ...(of(low)[0] as (typeof orders)[number]),
      userId: userId ?? '',
      orderNo: String(numbers.next(shardOf(userId ?? ''))),
      jti: newId('jti'),
    };
    await expect(low.writeOrders([more], SANDBOX)).rejects.toThrow('sales_committed_stock_check');
  });
});
