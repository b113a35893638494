import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { refuseArchived } from '@/lib/product/refuse-archived';
import { closeRedis } from '@/lib/redis/client';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { createSale } from '@/lib/sale/admin/create-sale';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { findSalePage } from '@/lib/sale/records/find-sale-page';
import { makeDraft, makeSale, makeUser } from '@/test/support/make-sale';
import { archiveProduct, reopenProduct } from './archive-product';
import { createProduct } from './create-product';
import { listAdminProducts } from './list-admin-products';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const ARCHIVED = { status: 'product_archived' };
const productOf = async (saleId: string) =>
  (await db().sale.findUniqueOrThrow({ where: { id: saleId } })).productId;
async function makeProduct(merchant: Actor, name = 'Lantern') {
  const slug = newId('p').replaceAll('_', '-');
  const made = await createProduct(merchant, { slug, name, description: 'Paper' });
  if (made.status !== 'created') throw new Error(made.status);
  return made.product;
}
const draftOf = (merchant: Actor, productId: string) => {
  const startsAt = Date.now() + 3_600_000;
  const hours = { startsAt, endsAt: startsAt + 3_600_000 };
  const sale = { title: 'Late', priceMinor: 100, currency: 'EUR', totalStock: 1, limitPerUser: 1 };
  return createSale(merchant, newSale.parse({ productId, ...sale, ...hours }));
};

describe('an archived product', () => {
  it('[O1] is sold by no new sale until it is open again; what was sold stays as it is', async () => {
    const { sale, merchant } = await makeSale();
    const productId = await productOf(sale.saleId);
    const draft = await draftOf(merchant, productId);
    const other = await draftOf(merchant, (await makeProduct(merchant)).productId);
    if (draft.status !== 'created' || other.status !== 'created') throw new Error('no draft');
    await closeSale(merchant, sale.saleId);
    expect(await archiveProduct(merchant, productId)).toMatchObject({
      status: 'changed',
      product: { status: 'archived', version: 2 },
    });

    expect(await draftOf(merchant, productId)).toEqual(ARCHIVED);
    expect(await publishSale(merchant, draft.sale.saleId)).toEqual(ARCHIVED);
    const { saleId, version } = other.sale;
    expect(await editSale(merchant, saleId, { productId, version })).toEqual(ARCHIVED);
    expect(await findSalePage(sale.slug, 'en')).toMatchObject({ productName: 'Lantern', status: 'closed' });
    // Its own draft can be edited, and given another product.
    const renamed = await editSale(merchant, draft.sale.saleId, { title: 'Later', version: 1 });
    expect(renamed.status).toBe('changed');

    expect(await reopenProduct(merchant, productId)).toMatchObject({ product: { status: 'active' } });
    expect((await publishSale(merchant, draft.sale.saleId)).status).toBe('changed');
  });

  it('[O1] is none while a sale of it runs or is to come, and the refusal names it', async () => {
    const { sale, merchant } = await makeSale({ title: 'Autumn lanterns' });
    const productId = await productOf(sale.saleId);
    expect(await archiveProduct(merchant, productId)).toEqual({
      status: 'in_use',
      sales: [{ saleId: sale.saleId, title: 'Autumn lanterns' }],
    });
    const startsAt = Date.now() + 3_600_000;
    const { sale: next, merchant: owner } = await makeSale({ startsAt, endsAt: startsAt + 60_000 });
    expect((await archiveProduct(owner, await productOf(next.saleId))).status).toBe('in_use');
    const { sale: draft, merchant: third } = await makeDraft();
    expect((await archiveProduct(third, await productOf(draft.saleId))).status).toBe('changed');
  });

  it('[O1] waits for a sale of it that is being published at the same moment', async () => {
    const { sale, merchant } = await makeDraft();
    const productId = await productOf(sale.saleId);
    let archiving: ReturnType<typeof archiveProduct> | undefined;
    await transaction(async (tx) => {
      expect(await refuseArchived(tx, productId)).toBeNull();
      archiving = archiveProduct(merchant, productId);
      await vi.waitUntil(
        async () =>
          (
            await db().$queryRaw<unknown[]>`
              SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM products%NO KEY UPDATE%'`
          ).length > 0,
        { timeout: 60_000 },
      );
      await tx.sale.update({ where: { id: sale.saleId }, data: { status: 'published', epoch: 1 } });
    });
    expect(await archiving).toMatchObject({ status: 'in_use' });
  });

  it('[O1 N9] is archived and found by its own shop alone, once, and the log says so', async () => {
    const [merchant, other, support] = [
      await makeUser('merchant'),
      await makeUser('merchant'),
      await makeUser('support'),
    ];
    const name = `Kite 50%_ ${newId('n')}`;
    const { productId, slug } = await makeProduct(merchant, name);
    await makeProduct(merchant, 'Boat');
    for (const actor of [other, support])
      expect(await archiveProduct(actor, productId)).toEqual({ status: 'not_found' });
    await archiveProduct(merchant, productId);
    await archiveProduct(merchant, productId);
    const found = async (actor: Actor, filter: Parameters<typeof listAdminProducts>[2]) =>
      (await listAdminProducts(actor, { limit: 20 }, filter)).products.map((each) => each.name);
    expect(await found(merchant, {})).toEqual(['Boat', name]);
    expect(await found(merchant, { status: 'active' })).toEqual(['Boat']);
    expect(await found(merchant, { status: 'archived' })).toEqual([name]);
    for (const q of [productId, slug, 'kite 50%_']) {
      expect(await found(merchant, { q }), q).toEqual([name]);
      expect(await found(merchant, { q, status: 'active' }), q).toEqual([]);
      expect(await found(other, { q }), q).toEqual([]);
    }
    expect(await found(merchant, { q: '%' })).toEqual([name]);
    await reopenProduct(merchant, productId);
    const entries = await db().auditEntry.findMany({
      where: { subjectId: productId, action: { not: 'product.create' } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['product.archive', { status: 'active' }, { status: 'archived' }],
      ['product.reopen', { status: 'archived' }, { status: 'active' }],
    ]);
  });
});
