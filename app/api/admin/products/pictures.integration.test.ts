import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSale } from '@/lib/admin/sales/create-sale';
import { publishSale } from '@/lib/admin/sales/publish-sale';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { mediaPath } from '@/lib/contract/words/media';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { findSalePage } from '@/lib/sale/find-sale-page';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { PATCH } from './[productId]/route';
import { POST } from './route';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

interface Shop {
  merchant: Awaited<ReturnType<typeof makeUser>>;
  session: string;
}
let own: Shop;
let other: Shop;

const makeShop = async (): Promise<Shop> => {
  const merchant = await makeUser('merchant');
  return { merchant, session: await sessionOf(merchant.userId) };
};
beforeAll(async () => {
  own = await makeShop();
  other = await makeShop();
});

/** Notes an upload of a shop; these tests read no file of it. */
async function uploaded({ merchant }: Shop, alt = '') {
  const hash = randomBytes(32).toString('hex');
  await db().media.create({ data: { merchantId: merchant.userId, hash, bytes: 1, width: 4, height: 3 } });
  return { hash, alt };
}
const urlOf = ({ hash }: { hash: string }) => mediaPath(hash, 640, 'webp');

async function create({ session }: Shop, fields: object) {
  const body = { slug: newId('p').replaceAll('_', '-'), name: 'Boat', description: '', ...fields };
  const answer = await callWith(session, POST, { method: 'POST', body });
  return { status: answer.status, body: await answer.json() };
}
async function edit({ session }: Pick<Shop, 'session'>, productId: string, body: object) {
  const answer = await callWith(session, PATCH, { method: 'PATCH', params: { productId }, body });
  return { status: answer.status, body: await answer.json() };
}
const refused = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });

describe('pictures of a product', () => {
  it('[O1] are kept in their order with what they show, and the first one is its picture everywhere', async () => {
    const [bow, stern] = [await uploaded(own, 'The bow'), await uploaded(own, 'The stern')];
    const made = await create(own, { pictures: [bow, stern] });
    expect(made).toMatchObject({ status: 201, body: { pictures: [bow, stern], imageUrl: urlOf(bow) } });
    const { productId } = made.body;

    const sale = await createSale(
      own.merchant,
      newSale.parse({
        productId,
        title: 'Boat',
        priceMinor: 9900,
        currency: 'EUR',
        totalStock: 10,
        limitPerUser: 1,
        startsAt: Date.now() - 60_000,
        endsAt: Date.now() + 3_600_000,
      }),
    );
    if (sale.status !== 'created') throw new Error(sale.status);
    await publishSale(own.merchant, sale.sale.saleId);
    const shown = () => findSalePage(sale.sale.slug);
    expect(await shown()).toMatchObject({ imageUrl: urlOf(bow), pictures: [bow, stern] });

    expect(await edit(own, productId, { version: 1, pictures: [stern, bow] })).toMatchObject({
      status: 200,
      body: { pictures: [stern, bow], imageUrl: urlOf(stern) },
    });
    expect(await shown()).toMatchObject({ imageUrl: urlOf(stern), pictures: [stern, bow] });
    const entry = await db().auditEntry.findFirstOrThrow({
      where: { subjectId: productId, action: 'product.edit' },
    });
    expect(entry.after).toMatchObject({ pictures: [stern, bow], imageUrl: urlOf(stern) });

    // What the release before sends.
    const drawn = { version: 2, imageUrl: '/products/lamp.svg' };
    expect((await edit(own, productId, drawn)).body).toMatchObject({ pictures: [] });
    const row = await db().product.findUniqueOrThrow({ where: { id: productId } });
    expect(row).toMatchObject({ imageUrl: '/products/lamp.svg', pictures: [] });
  });

  it('[O1] of another shop are refused, except where the product shows them already', async () => {
    const [mine, theirs] = [await uploaded(own), await uploaded(other)];
    expect(await create(own, { pictures: [mine, theirs] })).toEqual(refused(422, 'MEDIA_NOT_FOUND'));
    const { productId } = (await create(own, { pictures: [mine] })).body;
    expect(await edit(own, productId, { version: 1, pictures: [mine, theirs] })).toEqual(
      refused(422, 'MEDIA_NOT_FOUND'),
    );
    const unchanged = await db().product.findUniqueOrThrow({ where: { id: productId } });
    expect(unchanged).toMatchObject({ version: 1, pictures: [mine] });

    const linked = (await create(own, { imageUrl: urlOf(theirs) })).body;
    expect(linked.pictures).toEqual([{ hash: theirs.hash, alt: '' }]);
    const named = [{ ...theirs, alt: 'A boat' }, mine];
    expect(await edit(own, linked.productId, { version: 1, pictures: named })).toMatchObject({
      status: 200,
      body: { pictures: named },
    });
  });

  it('[O1] are changed neither by another shop, nor by a viewer, nor over a change that somebody has not seen', async () => {
    const picture = await uploaded(own);
    const { productId } = (await create(own, { pictures: [picture] })).body;
    const change = { version: 1, pictures: [] };
    expect(await edit(other, productId, change)).toEqual(refused(404, 'NOT_FOUND'));
    const viewer = await makeUser('merchant');
    const shopId = own.merchant.userId;
    await db().shopMember.create({
      data: { shopId, userId: viewer.userId, role: 'viewer', topics: ['settings'], addedBy: shopId },
    });
    const session = await sessionOf(viewer.userId);
    expect((await edit({ session }, productId, change)).status).toBe(403);
    expect((await edit(own, productId, change)).body).toMatchObject({ pictures: [], imageUrl: null });
    expect(await edit(own, productId, { version: 1, pictures: [picture] })).toEqual(
      refused(409, 'VERSION_CONFLICT'),
    );
  });

  it('[O1] that are too many, twice there, or told of at length are refused by name', async () => {
    const picture = await uploaded(own);
    const nine = Array.from({ length: 9 }, () => ({ hash: randomBytes(32).toString('hex'), alt: '' }));
    for (const pictures of [
      nine,
      [picture, picture],
      [{ ...picture, alt: 'x'.repeat(201) }],
      [{ hash: 'x', alt: '' }],
    ])
      expect(await create(own, { pictures })).toEqual(refused(422, 'VALIDATION'));
  });
});
