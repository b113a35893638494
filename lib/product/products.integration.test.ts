import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { encodeCursor } from '@/lib/http/cursor';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { makeUser } from '@/test/support/make-sale';
import { createProduct } from './create-product';
import { editProduct } from './edit-product';
import { findProductOwner } from './find-owner';
import { listProducts } from './list-products';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const input = () => ({ slug: newId('p').replaceAll('_', '-'), name: 'Lamp', description: 'Bright' });
async function made(merchantId: string) {
  const result = await createProduct(db(), merchantId, input());
  if (result.status !== 'created') throw new Error(result.status);
  return result.product;
}
const merchant = async () => (await makeUser('merchant')).userId;

describe('a product', () => {
  it('[A1] has an address of its own: the second of two that want it is told so, also at once', async () => {
    const [ada, ben] = [await merchant(), await merchant()];
    const wanted = input();
    const results = await Promise.all([createProduct(db(), ada, wanted), createProduct(db(), ben, wanted)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['created', 'slug_taken']);
  });

  it('[A1] is changed by whoever has seen its last version, once', async () => {
    const product = await made(await merchant());
    const edit = { version: product.version, name: 'Lantern' };
    const change = () => db().$transaction((tx) => editProduct(tx, product.productId, edit));
    const results = await Promise.all([change(), change()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['edited', 'version_conflict']);
    expect(results.find(({ status }) => status === 'edited')).toMatchObject({
      before: { name: 'Lamp' },
      product: { name: 'Lantern', version: product.version + 1 },
      sales: [],
    });
    // Whoever comes too late sees what there is.
    expect(results.find(({ status }) => status === 'version_conflict')).toMatchObject({
      product: { name: 'Lantern' },
    });
  });

  it('[A1] that is none changes nothing and belongs to nobody', async () => {
    expect(await editProduct(db(), 'product_none', { version: 1, name: 'x' })).toEqual({
      status: 'not_found',
    });
    expect(await findProductOwner('product_none')).toBeNull();
    const owner = await merchant();
    const { productId, slug } = await made(owner);
    expect(await findProductOwner(productId)).toEqual({ merchantId: owner, slug });
  });
});

describe('the list of products', () => {
  it('[A1] has every product of a merchant once, newest first, page by page, and nobody else’s', async () => {
    const owner = await merchant();
    const all: string[] = [];
    for (let n = 0; n < 5; n += 1) all.unshift((await made(owner)).productId);
    await made(await merchant());
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listProducts(owner, { cursor, limit: 2 });
      seen.push(...page.products.map(({ productId }) => productId));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all);
  });

  it('[A1] is empty for a merchant without any, behind the last page, and for a cursor of nonsense', async () => {
    const nothing = { products: [], nextCursor: null };
    expect(await listProducts(await merchant(), { limit: 20 })).toEqual(nothing);
    const owner = await merchant();
    const { productId } = await made(owner);
    expect(await listProducts(owner, { cursor: encodeCursor(productId), limit: 20 })).toEqual(nothing);
    expect(await listProducts(owner, { cursor: encodeCursor('\0'), limit: 20 })).toEqual(nothing);
  });
});
