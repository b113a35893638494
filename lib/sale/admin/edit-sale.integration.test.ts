import { describe, expect, it } from 'vitest';
import { createCampaign } from '@/lib/campaign/admin/create-campaign';
import type { EditSaleInput } from '@/lib/contract/shapes/sale-input';
import { SALE_STRATEGIES } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { createProduct } from '@/lib/product/admin/create-product';
import { purchase } from '@/lib/purchase/purchase';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readState } from '@/lib/sale/read-state';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { tokenFor } from '@/lib/server/testing/send-purchase';
import { configureStock } from '@/lib/stock/configure-stock';
import { moveWindow } from '@/lib/stock/move-window';
import { readStock } from '@/lib/stock/read-stock';
import { giveLocksTheirOwnRedis } from '@/test/support/locks-apart';
import { makeDraft, makeSale, makeUser } from '@/test/support/make-sale';
import { closeSale } from './close-sale';
import { editSale } from './edit-sale';
import { publishSale } from './publish-sale';
import { readAdminSale } from './read-admin-sale';

giveLocksTheirOwnRedis();

const HOUR_MS = 3_600_000;
const rowOf = (saleId: string) => db().sale.findUniqueOrThrow({ where: { id: saleId } });
const versionOf = async (saleId: string) => (await rowOf(saleId)).version;
/** Reads the end where purchases check it and where it is stored. */
async function endsOf(saleId: string) {
  const [stock, row] = await Promise.all([readStock(saleId), rowOf(saleId)]);
  return { redis: stock?.endsAt, postgres: row.endsAt.getTime() };
}

describe('a draft', () => {
  it('[L3] is changed in every field, and published as it then is', async () => {
    const { sale, merchant } = await makeDraft();
    const { saleId } = sale;
    const made = await createProduct(merchant, {
      slug: `p-${Date.now()}`,
      name: 'Kite',
      description: 'Silk',
    });
    if (made.status !== 'created') throw new Error(made.status);
    const joined = await createCampaign(merchant, {
      slug: `c-${Date.now()}`,
      title: 'Kites',
      description: '',
      limitPerUser: null,
    });
    if (joined.status !== 'created') throw new Error(joined.status);
    const startsAt = Date.now() - 120_000;
    const changes = {
      productId: made.product.productId,
      title: 'Kites',
      titles: { 'zh-CN': '风筝' },
      priceMinor: 500,
      listPriceMinor: 900,
      currency: 'EUR' as const,
      totalStock: 3,
      limitPerUser: 2,
      startsAt,
      endsAt: startsAt + HOUR_MS,
      entryOpensAt: startsAt - 5_000,
      paymentWindowSec: 60,
      provider: 'sandbox' as const,
      minLevel: 1,
      minAccountAgeSec: 5,
      requireVerifiedEmail: true,
      challenge: 'slider' as const,
      strategy: 'script' as const,
      onStockOutage: 'database' as const,
      limits: null,
      challengeAlternative: 'calculation' as const,
      clickLockSec: 3,
      slices: 1,
      admission: 'first_come' as const,
      waitlist: false,
      drawWeights: 'equal' as const,
      onePlacePerDevice: true,
      campaignId: joined.campaign.campaignId,
      placesPerNetwork: 5,
      reservation: { opensAt: startsAt - 60_000, closesAt: startsAt - 30_000 },
      variants: [],
    };
    const result = await editSale(merchant, saleId, { ...changes, version: sale.version });
    expect(result).toMatchObject({ status: 'changed', sale: { version: sale.version + 1 } });
    expect(await readAdminSale(merchant, saleId)).toEqual({
      ...changes,
      saleId,
      status: 'draft',
      version: sale.version + 1,
    });
    await publishSale(merchant, saleId);
    expect(await readStock(saleId)).toMatchObject({
      total: 3,
      limit: 2,
      startsAt,
      endsAt: startsAt + HOUR_MS,
    });
    expect(await findSaleInfo(saleId)).toMatchObject({
      title: 'Kites',
      productName: 'Kite',
      slug: expect.stringMatching(/^p-\d+-/),
    });
  });

  it('[O3] changes its variants as a whole, with pictures of its product alone; published, they are fixed', async () => {
    const { sale, merchant } = await makeDraft();
    const { saleId } = sale;
    const [hash, other] = ['a'.repeat(64), 'b'.repeat(64)];
    for (const each of [hash, other])
      await db().media.create({ data: { hash: each, merchantId: merchant.userId } });
    const { productId } = await rowOf(saleId);
    await db().productPicture.create({ data: { productId, position: 0, hash, alt: '' } });
    const edit = async (change: Partial<EditSaleInput>) =>
      editSale(merchant, saleId, { ...change, version: await versionOf(saleId) });
    const small = { name: 'Small', stock: 4, picture: null };
    const large = { name: 'Large', stock: 6, picture: hash };
    expect(await edit({ variants: [small, { ...large, picture: other }] })).toEqual({
      status: 'picture_not_found',
    });
    expect(await edit({ variants: [small] })).toMatchObject({ status: 'invalid' });
    expect(await edit({ variants: [large, small] })).toMatchObject({ status: 'changed' });
    expect(await edit({ variants: [small, large] })).toMatchObject({
      status: 'changed',
      sale: { variants: [small, large], totalStock: 10 },
    });
    expect(await readAdminSale(merchant, saleId)).toMatchObject({ variants: [small, large] });
    await publishSale(merchant, saleId);
    expect((await readStock(saleId))?.variants).toEqual([4, 6]);
    expect(await edit({ variants: [] })).toEqual({
      status: 'fixed',
      fields: [{ path: 'variants', reason: 'published' }],
    });
  });

  it('[L3] is checked whole, takes its entry along with its start, and no stranger’s product', async () => {
    const { sale, merchant } = await makeDraft({
      startsAt: Date.now() + HOUR_MS,
      endsAt: Date.now() + 2 * HOUR_MS,
    });
    const { saleId, version } = sale;
    const edit = (changes: object) => editSale(merchant, saleId, { version, ...changes });
    expect(await edit({ endsAt: sale.startsAt })).toMatchObject({ status: 'invalid' });
    expect(await edit({ listPriceMinor: 1 })).toMatchObject({ status: 'invalid' });
    expect(await edit({ strategy: 'lock', onStockOutage: 'database' })).toMatchObject({ status: 'invalid' });
    const { sale: other } = await makeDraft();
    const { productId } = await rowOf(other.saleId);
    expect(await edit({ productId })).toEqual({ status: 'product_not_found' });
    expect(await edit({ productId: 'invented' })).toEqual({ status: 'product_not_found' });
    expect(await versionOf(saleId)).toBe(version);

    const startsAt = sale.startsAt + 60_000;
    expect(await edit({ startsAt })).toMatchObject({
      sale: { startsAt, entryOpensAt: startsAt - (sale.startsAt - sale.entryOpensAt) },
    });
  });

  it('[F3] based on an old version is refused with the current one', async () => {
    const { sale, merchant } = await makeDraft();
    const { saleId, version } = sale;
    await editSale(merchant, saleId, { title: 'first', version });
    expect(await editSale(merchant, saleId, { title: 'late', version })).toMatchObject({
      status: 'version_conflict',
      version: version + 1,
      current: { title: 'first' },
    });
    // Ten edits at once from the same version: one succeeds.
    const edits = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        editSale(merchant, saleId, { title: `at once ${i}`, version: version + 1 }),
      ),
    );
    expect(edits.filter(({ status }) => status === 'changed')).toHaveLength(1);
    expect(edits.filter(({ status }) => status === 'version_conflict')).toHaveLength(9);
  });

  it('[L4] of another merchant is not there', async () => {
    const { sale } = await makeDraft();
    const [stranger, operator] = await Promise.all([makeUser('merchant'), makeUser('operator')]);
    const { saleId, version } = sale;
    expect(await editSale(stranger, saleId, { title: 'mine', version })).toEqual({ status: 'not_found' });
    expect(await readAdminSale(stranger, saleId)).toBeNull();
    expect(await editSale(operator, saleId, { title: 'ours', version })).toMatchObject({ status: 'changed' });
  });
});

describe('a published sale', () => {
  it('[L3] changes its title, and keeps what shoppers rely on', async () => {
    const { sale, merchant } = await makeSale({ limitPerUser: 2 });
    const { saleId } = sale;
    const fixed = { priceMinor: 1, limitPerUser: 1, startsAt: sale.startsAt - 5, strategy: 'lock' as const };
    const result = await editSale(merchant, saleId, {
      ...fixed,
      totalStock: 99,
      endsAt: sale.endsAt - 1,
      currency: 'CNY',
      title: 'not even this',
      version: sale.version,
    });
    expect(result).toEqual({
      status: 'fixed',
      fields: expect.arrayContaining([
        { path: 'priceMinor', reason: 'published' },
        { path: 'limitPerUser', reason: 'published' },
        { path: 'startsAt', reason: 'started' },
        { path: 'strategy', reason: 'published' },
        { path: 'totalStock', reason: 'own_way' },
        { path: 'endsAt', reason: 'only_later' },
      ]),
    });
    expect(result.status === 'fixed' && result.fields).toHaveLength(6);
    expect(await findSaleInfo(saleId)).toMatchObject({ title: 'Lantern', priceMinor: 9900 });

    await editSale(merchant, saleId, { title: 'Paper lantern', version: sale.version });
    expect(await findSaleInfo(saleId)).toMatchObject({ title: 'Paper lantern' });
    expect(
      await db().auditEntry.findMany({ where: { subjectId: saleId, action: 'sale.edit' } }),
    ).toMatchObject([
      {
        actorId: merchant.userId,
        before: { title: 'Lantern' },
        after: { title: 'Paper lantern' },
      },
    ]);
  });

  it.each(['script', 'database', 'lock'])('[C8] strategy %s: ends later in every place', async (strategy) => {
    const { sale, merchant } = await makeSale({ strategy });
    const { saleId, version } = sale;
    const endsAt = sale.endsAt + HOUR_MS;
    expect(await editSale(merchant, saleId, { endsAt, version })).toMatchObject({ sale: { endsAt } });
    expect((await rowOf(saleId)).endsAt.getTime()).toBe(endsAt);
    expect(JSON.parse((await readState(saleId)).body.toString())).toMatchObject({ endsAt, status: 'live' });
    expect(await findSaleInfo(saleId)).toMatchObject({ endsAt });
    if (strategy !== 'database') expect((await readStock(saleId))?.endsAt).toBe(endsAt);
  });

  it('[C8] sold by Postgres while Redis is away: ends later there, Redis is not asked', async () => {
    const { sale, merchant } = await makeSale({ onStockOutage: 'database' });
    const { saleId } = sale;
    await db().sale.update({
      where: { id: saleId },
      data: { stockMode: 'database', epoch: { increment: 1 } },
    });
    const endsAt = sale.endsAt + HOUR_MS;
    const version = await versionOf(saleId);
    expect(await editSale(merchant, saleId, { endsAt, version })).toMatchObject({ status: 'changed' });
    expect(await endsOf(saleId)).toEqual({ redis: sale.endsAt, postgres: endsAt });
  });

  it('[C8] purchases go on without a gap when the end is moved in the rush', async () => {
    await Promise.all(SALE_STRATEGIES.map((strategy) => sellAcrossTheEnd(strategy)));
  });

  /**
   * Shoppers buy without a break while the sale, about to end, is extended; no shopper gets the answer that it is
   * over. A machine that is too slow for this gets more time.
   */
  async function sellAcrossTheEnd(strategy: string, untilEndMs = 3_000): Promise<void> {
    const { sale, merchant } = await makeSale({ strategy, totalStock: 100_000, limitPerUser: 10 });
    const { saleId, epoch } = sale;
    const { gate } = await rowOf(saleId);
    const endsAt = Date.now() + untilEndMs;
    await db().sale.update({ where: { id: saleId }, data: { endsAt: new Date(endsAt) } });
    if (strategy !== 'database') await configureStock({ saleId, epoch, endsAt });
    await forgetSaleInfo(saleId);

    const answers = new Set<string>();
    let isSoldAfterwards = false;
    let isOver = false;
    const shop = async () => {
      while (!isSoldAfterwards && !isOver) {
        const { userId } = await makeUser();
        const isAfterwards = Date.now() > endsAt;
        const reply = await purchase({ saleId, gate, entryToken: tokenFor(saleId, userId), body: '' });
        answers.add(reply.status === 202 ? '202' : JSON.parse(reply.body.toString()).code);
        if (reply.status === 202 && isAfterwards) isSoldAfterwards = true;
      }
    };
    const edit = editSale(merchant, saleId, {
      endsAt: endsAt + HOUR_MS,
      version: await versionOf(saleId),
    }).then((result) => {
      isOver = result.status === 'over';
      return result;
    });
    const [result] = await Promise.all([edit, shop(), shop(), shop()]);
    if (isOver && untilEndMs < 30_000) return sellAcrossTheEnd(strategy, untilEndMs * 2);
    expect(result).toMatchObject({ status: 'changed' });
    // A busy machine may ask a shopper to try again, but may not say that the sale is over.
    answers.delete('STOCK_UNAVAILABLE');
    expect([...answers]).toEqual(['202']);
  }

  it('[C8] that is over stays over', async () => {
    const now = Date.now();
    const { sale, merchant } = await makeSale({ startsAt: now - 60_000, endsAt: now - 1_000 });
    const { saleId, version } = sale;
    const endsAt = now + HOUR_MS;
    expect(await editSale(merchant, saleId, { endsAt, version })).toEqual({ status: 'over' });
    // By the Redis clock, whatever this process's clock says.
    await db().sale.update({ where: { id: saleId }, data: { endsAt: new Date(now + 1_000_000) } });
    expect(await editSale(merchant, saleId, { endsAt: now + HOUR_MS, version })).toEqual({ status: 'over' });
    expect(await endsOf(saleId)).toEqual({ redis: sale.endsAt, postgres: now + 1_000_000 });
    expect(await moveWindow({ ...sale, endsAt })).toEqual({
      status: 'ended',
      endsAt: sale.endsAt,
    });

    const { sale: closed, merchant: owner } = await makeSale();
    await closeSale(owner, closed.saleId);
    expect(await editSale(owner, closed.saleId, { endsAt: endsAt + HOUR_MS, version: 99 })).toEqual({
      status: 'wrong_state',
      is: 'closed',
    });
  });

  it('[C8] is not extended under an old epoch, nor where nothing is loaded, nor back', async () => {
    const { sale } = await makeSale();
    const { epoch, startsAt, endsAt } = sale;
    const move = (changes: object) => moveWindow({ ...sale, ...changes });
    expect(await move({ epoch: epoch + 1, endsAt: endsAt + 1 })).toEqual({ status: 'stale_epoch' });
    expect(await move({ saleId: 'sale_none' })).toEqual({ status: 'unknown_sale' });
    expect(await move({ saleId: 'no}such' })).toEqual({ status: 'unknown_sale' });
    expect(await move({ endsAt: endsAt - 1 })).toEqual({ status: 'not_later', endsAt });
    expect(await move({ endsAt: endsAt + 5 })).toEqual({ status: 'moved' });
    expect(await move({ endsAt: endsAt + 5 })).toEqual({ status: 'moved' });
    expect(await move({ startsAt: startsAt + 5 })).toEqual({ status: 'started', startsAt });
    await expect(move({ endsAt: startsAt })).rejects.toThrow(RangeError);
  });

  it('[C8] that Redis has lost is loaded first, and what was counted is counted on', async () => {
    const { sale, merchant } = await makeSale();
    const { saleId, version, endsAt } = sale;
    await stockRedis().del(keys.sale(saleId));
    expect(await editSale(merchant, saleId, { endsAt: endsAt + 1_000, version })).toMatchObject({
      status: 'changed',
    });
    expect(await endsOf(saleId)).toEqual({ redis: endsAt + 1_000, postgres: endsAt + 1_000 });

    await stockRedis().hset(keys.limits(saleId), 'ada', '1');
    await stockRedis().pexpireat(keys.limits(saleId), endsAt + 1_000);
    await editSale(merchant, saleId, { endsAt: endsAt + 2_000, version: await versionOf(saleId) });
    expect(await stockRedis().pexpiretime(keys.limits(saleId))).toBe(endsAt + 2_000);
  });

  it('[E3] with a Redis that is away: nothing has changed, and it can be asked again', async () => {
    const { sale, merchant } = await makeSale();
    const { saleId, version, endsAt } = sale;
    stockRedis().disconnect();
    const told = await editSale(merchant, saleId, { endsAt: endsAt + HOUR_MS, version }).catch((e) => e);
    expect(isOutage(told)).toBe(true);
    expect((await rowOf(saleId)).endsAt.getTime()).toBe(endsAt);
    await stockRedis().connect();
    expect(await endsOf(saleId)).toEqual({ redis: endsAt, postgres: endsAt });
    expect(await editSale(merchant, saleId, { endsAt: endsAt + HOUR_MS, version })).toMatchObject({
      status: 'changed',
    });
  });

  it('[E3] with a commit that fails: Redis gets its old end back', async () => {
    const { sale, merchant } = await makeSale();
    const { saleId, version, endsAt } = sale;
    await db().$executeRaw`
      CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the server went away'; END $$`;
    await db().$executeRaw`
      CREATE CONSTRAINT TRIGGER refuse_end AFTER UPDATE ON sales DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (OLD.ends_at <> NEW.ends_at) EXECUTE FUNCTION refuse_end()`;
    try {
      const edit = editSale(merchant, saleId, { endsAt: endsAt + HOUR_MS, version });
      await expect(edit).rejects.toThrow('the server went away');
      expect(await endsOf(saleId)).toEqual({ redis: endsAt, postgres: endsAt });
    } finally {
      await db().$executeRaw`DROP TRIGGER refuse_end ON sales`;
    }
  });
});
