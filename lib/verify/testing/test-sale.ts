import { setTimeout as delay } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { insertOrders } from '@/lib/order/records/insert-orders';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { newGate } from '@/lib/sale/records/create-sale';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { releaseStock } from '@/lib/stock/release-stock';

/** For tests: a published sale in real servers. Each step of a purchase can be called by itself. */
export type TestSale = { saleId: string; gate: string; epoch: number; userIds: string[] };
export type TestPurchase = {
  userId: string;
  orderNo: string;
  jti: string;
  epoch: number;
  acceptedAt: number;
};

export async function createTestSale(options: {
  total: number;
  limit?: number;
  users: number;
}): Promise<TestSale> {
  const { total, limit = 1, users } = options;
  const [saleId, productId, merchantId] = [newId('sale'), newId('prod'), newId('user')];
  const userIds = Array.from({ length: users }, () => newId('user'));
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${[merchantId, ...userIds]}::text[]) AS u(id)`;
  const slug = saleId.replaceAll('_', '-');
  await db().$executeRaw`
    INSERT INTO products (id, merchant_id, slug, name, description)
    VALUES (${productId}, ${merchantId}, ${slug}, 'Test', 'Test')`;
  const gate = newGate();
  await db().$executeRaw`
    INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                       starts_at, ends_at, entry_opens_at, payment_window_sec, status, epoch, gate, published_at)
    VALUES (${saleId}, ${productId}, ${merchantId}, ${slug}, 'Test', 1000, 'EUR', ${total}, ${limit},
            now() - interval '1 minute', now() + interval '1 hour', now() - interval '2 minutes', 900,
            'published', 1, ${gate}, now())`;
  await ensureStockLoaded(saleId);
  const sale = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return { saleId, gate, epoch: sale.epoch, userIds };
}

/** Buys one unit for a user, as the purchase endpoint does. */
export async function buy({ saleId, gate, epoch }: TestSale, userId: string): Promise<TestPurchase> {
  const [orderNo, jti] = [await issueOrderNo(userId), newId('jti')];
  const result = await purchaseStock({ saleId, epoch, gate, userId, jti, orderNo, quantity: 1 });
  if (result.status !== 'accepted') throw new Error(`not accepted: ${result.status}`);
  return { userId, orderNo, jti, epoch, acceptedAt: result.acceptedAt };
}

/** Writes purchases as orders and takes them out of the outbox. */
export async function write({ saleId }: TestSale, purchases: readonly TestPurchase[]): Promise<void> {
  await db().$transaction(async (tx) => {
    const orders = purchases.map((purchase) => ({ ...purchase, quantity: 1 }));
    const { units } = await insertOrders(tx, saleId, orders, { usual: 'sandbox', named: [] });
    await tx.$executeRaw`UPDATE sales SET held_stock = held_stock + ${units} WHERE id = ${saleId}`;
  });
  await takeFromOutbox(saleId, purchases);
}

export async function takeFromOutbox(saleId: string, purchases: readonly TestPurchase[]): Promise<void> {
  const taken = new Set(purchases.map(({ orderNo }) => orderNo));
  for (const [entryId, fields] of await stockRedis().xrange(keys.outbox(saleId), '-', '+')) {
    if (taken.has(fields[fields.indexOf('orderNo') + 1] ?? ''))
      await stockRedis().xdel(keys.outbox(saleId), entryId);
  }
}

/** Pays an order as the product does: Postgres first, then Redis, `betweenMs` later. */
export async function pay(
  { saleId }: TestSale,
  { orderNo, userId }: TestPurchase,
  betweenMs = 0,
): Promise<void> {
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO sandbox_payments (payment_id, outcome, amount_minor, currency)
      SELECT id, 'succeeded', amount_minor, currency FROM payments WHERE order_id = ${orderNo}::bigint`;
    await tx.$executeRaw`UPDATE payments SET status = 'succeeded', settled_at = now() WHERE order_id = ${orderNo}::bigint`;
    await tx.$executeRaw`UPDATE orders SET status = 'paid', paid_at = now() WHERE id = ${orderNo}::bigint`;
  });
  await db()
    .$executeRaw`UPDATE sales SET held_stock = held_stock - 1, sold_stock = sold_stock + 1 WHERE id = ${saleId}`;
  if (betweenMs > 0) await delay(betweenMs);
  await confirmStock({ saleId, userId, orderNo });
  await settle(orderNo);
}

/** Cancels an order, in the same order of steps. */
export async function cancel({ saleId }: TestSale, { orderNo, userId }: TestPurchase): Promise<void> {
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired' WHERE id = ${orderNo}::bigint`;
    await tx.$executeRaw`UPDATE sales SET held_stock = held_stock - 1 WHERE id = ${saleId}`;
  });
  await releaseStock({ saleId, userId, orderNo });
  await settle(orderNo);
}

async function settle(orderNo: string): Promise<void> {
  await db().$executeRaw`UPDATE orders SET stock_settled_at = now() WHERE id = ${orderNo}::bigint`;
}
