import { randomBytes } from 'node:crypto';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createOrderNoSource, UNLEASED_WORKER } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { type AcceptedOrder, acceptedOf } from '@/lib/outbox/accepted-order';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { readStock } from '@/lib/stock/read-stock';

/** For tests: a published sale on the real servers, open now, with its users. */
export type SaleFixture = { saleId: string; gate: string; epoch: number; userIds: string[] };

type Options = {
  total?: number;
  limit?: number;
  users?: number;
  paymentWindowSec?: number;
  priceMinor?: number;
  /** Over how many slices the stock is split. */
  slices?: number;
  /** True if released units go to those who wait. */
  waitlist?: boolean;
  strategy?: 'script' | 'lock' | 'queue';
  /** The stock of each variant; their sum is the total. */
  variants?: readonly number[];
};

/** Creates a sale of 10 units at 19.99 EUR, one per user, 15 minutes to pay, unless `options` say otherwise. */
export async function createSaleFixture(options: Options = {}): Promise<SaleFixture> {
  const {
    variants = [],
    limit = 1,
    users = 3,
    paymentWindowSec = 900,
    priceMinor = 1999,
    slices = 1,
  } = options;
  const { waitlist = false, strategy = 'script' } = options;
  const total = variants.length > 0 ? variants.reduce((sum, stock) => sum + stock) : (options.total ?? 10);
  const [saleId, productId, merchantId] = [newId('sale'), newId('prod'), newId('user')];
  const userIds = Array.from({ length: users }, () => newId('user'));
  const gate = randomBytes(12).toString('hex');
  const slug = saleId.replaceAll('_', '-');
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${[merchantId, ...userIds]}::text[]) AS u (id)`;
  await db().$executeRaw`
    INSERT INTO products (id, merchant_id, slug, name, description, image_url)
    VALUES (${productId}, ${merchantId}, ${slug}, 'Lamp', 'A lamp', '/products/lamp.svg')`;
  await db().$executeRaw`
    INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                       starts_at, ends_at, entry_opens_at, payment_window_sec, status, epoch, gate, published_at, slices,
                       waitlist, strategy)
    VALUES (${saleId}, ${productId}, ${merchantId}, ${slug}, 'Lamp sale', ${priceMinor}, 'EUR', ${total}, ${limit},
            now() - interval '1 minute', now() + interval '1 hour', now() - interval '2 minutes', ${paymentWindowSec},
            'published', 1, ${gate}, now(), ${slices}, ${waitlist}, ${strategy})`;
  await db().saleVariant.createMany({
    data: variants.map((stock, at) => ({ saleId, number: at + 1, name: `Variant ${at + 1}`, stock })),
  });
  await ensureStockLoaded(saleId);
  const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return { saleId, gate, epoch, userIds };
}

const numbers = createOrderNoSource({ workerId: UNLEASED_WORKER });

/** Buys for a user as the purchase endpoint does. The accepted purchase waits in the outbox. */
export async function buy(
  sale: SaleFixture,
  userId: string,
  quantity = 1,
  variant?: number,
): Promise<AcceptedOrder> {
  const { saleId, epoch, gate } = sale;
  const [orderNo, jti] = [String(numbers.next(shardOf(userId))), newId('jti')];
  const purchase = { saleId, epoch, gate, userId, jti, orderNo, quantity, variant };
  const result = await purchaseStock(purchase);
  if (result.status !== 'accepted') throw new Error(`not accepted: ${result.status}`);
  return acceptedOf(purchase, result.acceptedAt);
}

/** Buys one unit for each user of the sale, or the first `count`. */
export async function buyForAll(sale: SaleFixture, count = sale.userIds.length): Promise<AcceptedOrder[]> {
  const bought: AcceptedOrder[] = [];
  for (const userId of sale.userIds.slice(0, count)) bought.push(await buy(sale, userId));
  return bought;
}

/** Builds an accepted purchase that Redis does not know. */
export function forge(
  sale: SaleFixture,
  userId: string,
  overrides: Partial<AcceptedOrder> = {},
): AcceptedOrder {
  const { epoch } = sale;
  const fresh = {
    orderNo: String(numbers.next(shardOf(userId))),
    userId,
    quantity: 1,
    jti: newId('jti'),
    epoch,
  };
  return { ...fresh, acceptedAt: Date.now(), ...overrides };
}

/** Reads the stock as Redis and as Postgres count it. */
export async function countStock(saleId: string) {
  const [stock, sale] = await Promise.all([
    readStock(saleId),
    db().sale.findUniqueOrThrow({ where: { id: saleId } }),
  ]);
  if (!stock) throw new Error(`${saleId} is not loaded`);
  const { available, held, sold } = stock;
  return { redis: { available, held, sold }, postgres: { held: sale.heldStock, sold: sale.soldStock } };
}

/** Reads how many units of each variant are left, held and sold: in Redis, and as Postgres counts them. */
export async function countVariants(saleId: string) {
  const [stock, rows] = await Promise.all([
    readStock(saleId),
    db().saleVariant.findMany({ where: { saleId }, orderBy: { number: 'asc' } }),
  ]);
  return {
    left: stock?.variants,
    postgres: rows.map(({ stock, held, sold }) => `${held} held, ${sold} sold of ${stock}`),
  };
}

/** Reads every order of a sale by number: status, reason and whether it is settled. */
export async function readStates(saleId: string) {
  const rows = await db().order.findMany({ where: { saleId }, orderBy: { id: 'asc' } });
  return new Map(
    rows.map((row) => [
      String(row.id),
      {
        status: row.status,
        endReason: row.endReason,
        isSettled: row.stockSettledAt !== null,
        version: row.version,
      },
    ]),
  );
}

/** Moves the orders' deadlines to `secondsAgo` ago. */
export async function makeOverdue(orderNos: readonly string[], secondsAgo = 1): Promise<void> {
  await db().$executeRaw`
    UPDATE orders SET pay_by = now() - make_interval(secs => ${secondsAgo})
    WHERE id = ANY (${[...orderNos]}::text[]::bigint[])`;
}
