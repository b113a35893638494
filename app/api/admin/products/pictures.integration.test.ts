import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstPath } from '@/lib/contract/shapes/picture';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { findSalePage } from '@/lib/sale/records/find-sale-page';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeMember } from '@/test/support/make-member';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { PATCH } from './[productId]/route';
import { POST } from './route';

let merchantId = '';
let session = '';
beforeAll(async () => {
  merchantId = (await makeUser('merchant')).userId;
  session = await sessionOf(merchantId);
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Notes an upload; these tests read no file of it. */
async function uploaded(alt = '') {
  const hash = randomBytes(32).toString('hex');
  await db().media.create({ data: { merchantId, hash } });
  return { hash, alt };
}
const LAMP = '/products/lamp.svg';

async function create(fields: object) {
  const body = { slug: newId('p').replaceAll('_', '-'), name: 'Boat', description: '', ...fields };
  const answer = await callWith(session, POST, { method: 'POST', body });
  return { status: answer.status, body: await answer.json() };
}
async function edit(productId: string, body: object, as = session) {
  const answer = await callWith(as, PATCH, { method: 'PATCH', params: { productId }, body });
  return { status: answer.status, body: await answer.json() };
}
const refused = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });

describe('pictures of a product', () => {
  it('[O1] keep their order and texts, and the first one is its picture everywhere', async () => {
    const { sale, merchant } = await makeSale();
    const { productId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    const own = await sessionOf(merchant.userId);
    const [bow, stern] = [await uploaded('The bow'), await uploaded('The stern')];
    const edited = await edit(productId, { version: 1, pictures: [bow, stern] }, own);
    expect(edited).toMatchObject({
      status: 200,
      body: { pictures: [bow, stern], imageUrl: firstPath([bow]) },
    });
    const shown = () => findSalePage(sale.slug, 'en');
    expect(await shown()).toMatchObject({ imageUrl: firstPath([bow]), pictures: [bow, stern] });

    await edit(productId, { version: 2, pictures: [stern, bow] }, own);
    expect(await shown()).toMatchObject({ imageUrl: firstPath([stern]), pictures: [stern, bow] });
    const entry = await db().auditEntry.findFirstOrThrow({
      where: { subjectId: productId, action: 'product.edit' },
      orderBy: { id: 'desc' },
    });
    expect(entry.after).toMatchObject({ pictures: [stern, bow], imageUrl: firstPath([stern]) });

    // As a client that knows no pictures does.
    await edit(productId, { version: 3, imageUrl: LAMP }, own);
    expect(await shown()).toMatchObject({ imageUrl: LAMP, pictures: [] });
    // As the release before does, which writes the column alone.
    await edit(productId, { version: 4, pictures: [bow] }, own);
    await db().product.update({ where: { id: productId }, data: { imageUrl: LAMP } });
    expect(await shown()).toMatchObject({ imageUrl: LAMP, pictures: [] });
  });

  it('[O1] belong to a new product from the start, once for each request', async () => {
    const picture = await uploaded('A boat');
    const body = { pictures: [picture], slug: newId('p').replaceAll('_', '-'), requestId: newId('request') };
    const made = await create(body);
    expect(made).toMatchObject({
      status: 201,
      body: { pictures: [picture], imageUrl: firstPath([picture]) },
    });
    expect(await create(body)).toEqual(made);
    expect(await create({ ...body, pictures: [] })).toEqual(refused(409, 'CREATED_OTHERWISE'));
  });

  it('[O1] that were never uploaded, too many or twice there are refused, and change nothing', async () => {
    const picture = await uploaded();
    const unknown = { hash: randomBytes(32).toString('hex'), alt: '' };
    expect(await create({ pictures: [picture, unknown] })).toEqual(refused(422, 'MEDIA_NOT_FOUND'));
    expect(await create({ imageUrl: firstPath([unknown]) })).toEqual(refused(422, 'MEDIA_NOT_FOUND'));
    const { productId } = (await create({ pictures: [picture] })).body;
    const change = { version: 1, name: 'Other', pictures: [unknown] };
    expect(await edit(productId, change)).toEqual(refused(422, 'MEDIA_NOT_FOUND'));
    for (const pictures of [
      [picture, picture],
      Array(9).fill(picture),
      [{ ...picture, alt: 'x'.repeat(201) }],
      'x',
    ])
      expect(await edit(productId, { version: 1, pictures })).toEqual(refused(422, 'VALIDATION'));
    const row = await db().product.findUniqueOrThrow({
      where: { id: productId },
      include: { pictures: true },
    });
    expect(row).toMatchObject({ name: 'Boat', version: 1, pictures: [{ ...picture, position: 0 }] });
  });

  it('[O1] are changed neither by another shop, nor by a viewer, nor over a change that was not seen', async () => {
    const picture = await uploaded();
    const { productId } = (await create({ pictures: [picture] })).body;
    const change = { version: 1, pictures: [] };
    const other = await sessionOf((await makeUser('merchant')).userId);
    expect(await edit(productId, change, other)).toEqual(refused(404, 'NOT_FOUND'));
    const viewer = await makeMember(merchantId, 'viewer');
    expect((await edit(productId, change, await sessionOf(viewer.userId))).status).toBe(403);
    expect((await edit(productId, change)).body).toMatchObject({ pictures: [], imageUrl: null });
    const late = { version: 1, pictures: [picture] };
    expect(await edit(productId, late)).toEqual(refused(409, 'VERSION_CONFLICT'));
  });
});
