import { db } from '@/lib/db/client';
import { createProduct } from '@/lib/desk/create-product';
import { createSale } from '@/lib/desk/create-sale';
import { createLoadUsers } from '@/lib/desk/load/create-load-users';
import { publishSale } from '@/lib/desk/publish-sale';
import { newId } from '@/lib/ids/new-id';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createSaleSchema } from '@/lib/sale/sale-input';

const OPEN_MS = 60 * 60 * 1000;
const MERCHANT = { userId: 'user_chaos', role: 'merchant' } as const;

export type ChaosSale = {
  saleId: string;
  gate: string;
  merchantId: string;
  stock: number;
  limitPerUser: number;
  paymentWindowMs: number;
};

/** A published sale that is open now, and the load-test users 1 … `users`. @param stock units */
export async function openChaosSale(options: {
  stock: number;
  limitPerUser: number;
  paymentWindowSec: number;
  users: number;
}): Promise<ChaosSale> {
  const { stock, limitPerUser, paymentWindowSec, users } = options;
  await createLoadUsers(users);
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash, role)
    VALUES (${MERCHANT.userId}, 'chaos@example.com', 'Chaos', '!', 'merchant') ON CONFLICT DO NOTHING`;
  const slug = `chaos-${newId('p').slice(-10)}`;
  const product = await createProduct(MERCHANT, { slug, name: 'Chaos', description: 'Bought under fire.' });
  if (product.status !== 'created') throw new Error(`the product: ${product.status}`);
  const startsAt = Date.now() - 1_000;
  const input = createSaleSchema.parse({
    productId: product.product.productId,
    title: 'Chaos sale',
    priceMinor: 1_999,
    currency: 'EUR',
    totalStock: stock,
    limitPerUser,
    startsAt,
    endsAt: startsAt + OPEN_MS,
    entryOpensAt: startsAt - 1_000,
    paymentWindowSec,
  });
  const created = await createSale(MERCHANT, input);
  if (created.status !== 'created') throw new Error(`the sale: ${created.status}`);
  const { saleId } = created.sale;
  const published = await publishSale(MERCHANT, saleId);
  if (published.status !== 'changed') throw new Error(`the sale: ${published.status}`);
  const gate = await stockRedis().hget(keys.sale(saleId), 'gate');
  if (!gate) throw new Error(`${saleId} has no gate`);
  return {
    ...{ saleId, gate, stock, limitPerUser },
    merchantId: MERCHANT.userId,
    paymentWindowMs: paymentWindowSec * 1_000,
  };
}
