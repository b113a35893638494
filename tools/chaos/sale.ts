import { createLoadUsers, loadUserId } from '@/lib/admin/load/create-load-users';
import { createProduct } from '@/lib/admin/products/create-product';
import { createSale } from '@/lib/admin/sales/create-sale';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { signIn } from './load/sign-in';

const OPEN_MS = 60 * 60 * 1000;
const MERCHANT = { userId: 'user_chaos', role: 'merchant' } as const;

export type ChaosSale = {
  saleId: string;
  gate: string;
  merchantId: string;
  stock: number;
  limitPerUser: number;
  /** Epoch ms. */
  startsAt: number;
  paymentWindowMs: number;
};

/** A draft of a sale; its merchant and the load-test users 1 … `users`, signed in. @param stock units @param opensInMs may be negative */
export async function draftChaosSale(options: {
  stock: number;
  limitPerUser: number;
  paymentWindowSec: number;
  users: number;
  opensInMs: number;
}): Promise<ChaosSale> {
  const { stock, limitPerUser, paymentWindowSec, users, opensInMs } = options;
  await createLoadUsers(users);
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash, role)
    VALUES (${MERCHANT.userId}, 'chaos@example.com', 'Chaos', '!', 'merchant') ON CONFLICT DO NOTHING`;
  // Before anything is broken: this needs the database.
  await signIn(MERCHANT.userId);
  for (let n = 1; n <= users; n += 1) await signIn(loadUserId(n));
  const slug = `chaos-${newId('p').slice(-10)}`;
  const product = await createProduct(MERCHANT, { slug, name: 'Chaos', description: 'Bought under fire.' });
  if (product.status !== 'created') throw new Error(`the product: ${product.status}`);
  const startsAt = Date.now() + opensInMs;
  const input = newSale.parse({
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
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return {
    saleId,
    gate,
    stock,
    limitPerUser,
    startsAt,
    merchantId: MERCHANT.userId,
    paymentWindowMs: paymentWindowSec * 1_000,
  };
}
