import type { Actor } from '@/lib/actor/actor';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { newSale } from '@/lib/contract/shapes/sale-input';
import type { Role } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createProduct } from '@/lib/product/admin/create-product';
import { createSale } from '@/lib/sale/admin/create-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';

/** Creates a user of any role directly in the database; nobody can sign in as this user. */
export async function makeUser(role: Role = 'shopper', level = 0, userId = newId('user')) {
  await db().user.create({
    data: { id: userId, email: `${userId}@example.com`, name: role, passwordHash: '!', role, level },
  });
  return { userId, role, level };
}

/**
 * Creates a draft of the given sale, with its merchant. Live from a minute ago for an hour unless the input says
 * otherwise.
 */
export async function makeDraft(
  input: Record<string, unknown> = {},
): Promise<{ sale: SaleInfo; merchant: Actor }> {
  const merchant = await makeUser('merchant');
  const slug = newId('p').replaceAll('_', '-');
  const product = await createProduct(merchant, { slug, name: 'Lantern', description: 'Paper' });
  if (product.status !== 'created') throw new Error(product.status);
  const now = Date.now();
  const result = await createSale(
    merchant,
    newSale.parse({
      productId: product.product.productId,
      title: 'Lantern',
      priceMinor: 9900,
      currency: 'CNY',
      totalStock: 10,
      limitPerUser: 1,
      startsAt: now - 60_000,
      endsAt: now + 3_600_000,
      ...input,
    }),
  );
  if (result.status !== 'created') throw new Error(result.status);
  return { sale: result.sale, merchant };
}

/** Creates the same sale, published and warmed up: stock, gate and info are in Redis. */
export async function makeSale(
  input: Record<string, unknown> = {},
): Promise<{ sale: SaleInfo; merchant: Actor }> {
  const { sale, merchant } = await makeDraft(input);
  const published = await publishSale(merchant, sale.saleId);
  if (published.status !== 'changed') throw new Error(published.status);
  return { sale: published.sale, merchant };
}
