import { afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import type { EditProductInput } from '@/lib/contract/shapes/product';
import { closeDb, db } from '@/lib/db/client';
import { readFacts } from '@/lib/order/records/read-facts';
import { readOrder } from '@/lib/order/records/read-order';
import { listUnpaidOrders } from '@/lib/own-account/list-obstacles';
import { findPayment } from '@/lib/payment/records/find-payment';
import { readOwnLevel } from '@/lib/points/read-own-level';
import { editProduct } from '@/lib/product/admin/edit-product';
import { listAdminProducts } from '@/lib/product/admin/list-admin-products';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { listAdminSales } from '@/lib/sale/admin/list-admin-sales';
import { readAdminSale } from '@/lib/sale/admin/read-admin-sale';
import { findSalePage } from '@/lib/sale/records/find-sale-page';
import { readListRows } from '@/lib/sale/records/list-rows';
import { makeDraft, makeSale } from '@/test/support/make-sale';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const productOf = async (saleId: string) =>
  (await db().sale.findUniqueOrThrow({ where: { id: saleId } })).productId;
async function edit(merchant: Actor, saleId: string, change: Omit<EditProductInput, 'version'>) {
  const id = await productOf(saleId);
  const { version } = await db().product.findUniqueOrThrow({ where: { id } });
  const edited = await editProduct(merchant, id, { ...change, version });
  if (edited.status !== 'edited') throw new Error(edited.status);
  return edited.product;
}

describe('texts by language', () => {
  it('[O1 A1] stand on the page of that language; what is missing there is that of all others', async () => {
    const { sale, merchant } = await makeSale({ title: 'Lantern', titles: { 'zh-CN': '纸灯笼' } });
    const { saleId, slug } = sale;
    const attributes = { Material: 'paper' };
    const before = { productName: 'Lantern', description: 'Paper', attributes };
    await edit(merchant, saleId, { attributes, texts: { 'zh-CN': { description: '手工' } } });
    expect(await findSalePage(slug, 'en')).toMatchObject({ title: 'Lantern', ...before });
    expect(await findSalePage(slug, 'zh-CN')).toMatchObject({
      ...before,
      title: '纸灯笼',
      description: '手工',
    });
    const texts = { en: { description: 'Handmade' }, 'zh-CN': { name: '灯笼', attributes: { 材质: '纸' } } };
    expect(await edit(merchant, saleId, { texts })).toMatchObject({
      name: 'Lantern',
      description: 'Paper',
      texts,
    });
    expect(await findSalePage(slug, 'en')).toMatchObject({ ...before, description: 'Handmade' });
    const chinese = await findSalePage(slug, 'zh-CN');
    expect([chinese?.productName, chinese?.description, chinese?.attributes]).toEqual([
      '灯笼',
      'Paper',
      { 材质: '纸' },
    ]);
    const entries = await db().auditEntry.findMany({
      where: { subjectId: await productOf(saleId), action: 'product.edit' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ after }) => after)).toEqual([
      { attributes, texts: { 'zh-CN': { description: '手工' } } },
      { texts },
    ]);
  });

  it('[O1 L4] of a sale change while it runs, are in the list of all languages, and in a copy', async () => {
    const { sale, merchant } = await makeSale({ titles: { en: 'Paper lantern' } });
    const titles = { 'zh-CN': '灯笼' };
    const { saleId, version } = sale;
    expect(await editSale(merchant, saleId, { titles, version })).toMatchObject({
      status: 'changed',
      sale: { title: 'Lantern', titles },
    });
    const listed = (await readListRows(null)).find((row) => row.sale.saleId === saleId);
    expect(listed?.sale).toMatchObject({ title: 'Lantern', titles });
    expect(await readAdminSale(merchant, saleId)).toMatchObject({ title: 'Lantern', titles });
  });

  it('[O1 I4] are those of an order wherever its shopper reads of it', async () => {
    const { orderNo, userId, saleId, paymentId } = await createOrderFixture();
    const titles = { 'zh-CN': '台灯' };
    await db().sale.update({ where: { id: saleId }, data: { titles } });
    expect(await readOrder(userId, orderNo)).toMatchObject({ saleTitle: 'Lamp sale', saleTitles: titles });
    // Mails, notices and pages of providers have one language: that of the account.
    const told = async () => [
      (await readFacts([orderNo])).get(orderNo)?.saleTitle,
      (await listUnpaidOrders(db(), userId, 5))[0]?.title,
    ];
    expect(await told()).toEqual(['Lamp sale', 'Lamp sale']);
    await db().user.update({ where: { id: userId }, data: { locale: 'zh-CN' } });
    expect(await told()).toEqual(['台灯', '台灯']);
    await payFor(orderNo);
    expect((await findPayment(paymentId))?.title).toBe('台灯');
  });

  it('[O1 G16] of a membership are those of its reader', async () => {
    const { sale, merchant } = await makeDraft();
    const { productId } = await edit(merchant, sale.saleId, { texts: { 'zh-CN': { name: '会员卡' } } });
    await db().membershipRule.create({ data: { productId, level: 2, days: 30 } });
    const namesFor = async (locale: string) => {
      await db().user.update({ where: { id: merchant.userId }, data: { locale } });
      return (await readOwnLevel(merchant.userId)).memberships.map(({ name }) => name);
    };
    expect([await namesFor('en'), await namesFor('zh-CN')]).toEqual([['Lantern'], ['会员卡']]);
  });

  it('[O1] staff find a product and a sale by their words in any language', async () => {
    const { sale, merchant } = await makeDraft({ titles: { en: 'Autumn 50%', 'zh-CN': '中秋' } });
    await makeDraft();
    await edit(merchant, sale.saleId, { texts: { en: { name: 'Kite "Ra"' }, 'zh-CN': { name: '风筝' } } });
    const products = async (q: string) =>
      (await listAdminProducts(merchant, { limit: 20 }, { q })).products.length;
    const sales = async (q: string) =>
      (await listAdminSales(merchant, { limit: 20 }, { q, sort: 'newest' })).sales.length;
    for (const q of ['风', 'kite', 'Lantern', '"ra"']) expect([q, await products(q)]).toEqual([q, 1]);
    for (const q of ['中秋', 'autumn 50%', 'LANTERN', '风筝']) expect([q, await sales(q)]).toEqual([q, 1]);
    for (const q of ['纸', '50_', 'zh-CN']) expect([q, await products(q), await sales(q)]).toEqual([q, 0, 0]);
  });
});
