import { createProduct } from '@/lib/admin/products/create-product';
import { createSale } from '@/lib/admin/sales/create-sale';
import { publishSale } from '@/lib/admin/sales/publish-sale';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

const OPEN_MS = 2 * 60 * 60 * 1000;
const ACTOR = { userId: 'user_bench', role: 'merchant' } as const;
/** Orders must not expire while they are counted. */
const PAYMENT_WINDOW_SEC = 3_600;

export type BenchSale = { saleId: string; slug: string; gate: string; epoch: number };

let productId: Promise<string> | undefined;

/**
 * A published sale, open from `startsAt` (default: a moment ago) for two hours.
 * @param stock units; limit 1 per user.
 */
export async function openBenchSale(
  stock: number,
  startsAt = Date.now() - 1_000,
  limits?: SaleLimits,
): Promise<BenchSale> {
  productId ??= createBenchProduct();
  const input = newSale.parse({
    productId: await productId,
    title: 'Bench sale',
    priceMinor: 19_900,
    listPriceMinor: 29_900,
    currency: 'CNY',
    totalStock: stock,
    limitPerUser: 1,
    startsAt,
    endsAt: startsAt + OPEN_MS,
    entryOpensAt: startsAt - 60_000,
    paymentWindowSec: PAYMENT_WINDOW_SEC,
    limits,
  });
  const created = await createSale(ACTOR, input);
  if (created.status !== 'created') throw new Error(`the bench's sale: ${created.status}`);
  const published = await publishSale(ACTOR, created.sale.saleId);
  if (published.status !== 'changed') throw new Error(`the bench's sale: ${published.status}`);
  const { saleId, slug, epoch } = published.sale;
  const gate = await stockRedis().hget(keys.sale(saleId), 'gate');
  if (!gate) throw new Error(`${saleId} has no gate`);
  return { saleId, slug, gate, epoch };
}

/** Frees what a round has left in Redis, so that the next one meets the same server. */
export async function dropBenchSale({ saleId }: BenchSale): Promise<void> {
  await stockRedis().srem(keys.openSales(), saleId);
  await stockRedis().unlink(keys.outbox(saleId), keys.buyers(saleId), keys.limits(saleId));
}

async function createBenchProduct(): Promise<string> {
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash, role)
    VALUES (${ACTOR.userId}, 'bench@example.com', 'Bench', '!', 'merchant') ON CONFLICT DO NOTHING`;
  const made = await createProduct(ACTOR, {
    slug: `bench-${newId('p').slice(-8)}`,
    name: 'Bench product',
    description: 'What the bench buys.',
  });
  if (made.status !== 'created') throw new Error(`the bench's product: ${made.status}`);
  return made.product.productId;
}
