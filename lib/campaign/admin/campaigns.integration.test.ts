import { afterAll, describe, expect, it } from 'vitest';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { createSale } from '@/lib/sale/admin/create-sale';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { makeCampaign } from '@/test/support/make-campaign';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import { archiveCampaign, reopenCampaign } from './archive-campaign';
import { createCampaign } from './create-campaign';
import { editCampaign } from './edit-campaign';
import { listAdminCampaigns } from './list-admin-campaigns';
import { readCampaignView } from './read-campaign-view';

afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
});

const given = { title: 'Autumn', description: '', limitPerUser: 2 };

describe('campaigns in the admin area', () => {
  it('[A8 L4] belong to their merchant: others see, change and use none of them, and every change is in the log', async () => {
    const { merchant, campaign } = await makeCampaign(2, []);
    const [other, support] = await Promise.all([makeUser('merchant'), makeUser('support')]);
    const { campaignId, version } = campaign;
    expect(await readCampaignView(other, campaignId)).toBeNull();
    expect(await readCampaignView(support, campaignId)).toMatchObject({
      title: campaign.title,
      sessions: [],
    });
    expect((await listAdminCampaigns(other, { limit: 20 })).campaigns).toEqual([]);
    for (const actor of [other, support]) {
      expect(await editCampaign(actor, campaignId, { title: 'Mine', version })).toEqual({
        status: 'not_found',
      });
      expect(await archiveCampaign(actor, campaignId)).toEqual({ status: 'not_found' });
    }
    const { sale, merchant: stranger } = await makeDraft();
    expect(await editSale(stranger, sale.saleId, { campaignId, version: sale.version })).toMatchObject({
      code: 'CAMPAIGN_NOT_FOUND',
    });
    expect(await createCampaign(merchant, { ...given, slug: campaign.slug })).toEqual({
      status: 'slug_taken',
    });
    expect(await editCampaign(merchant, campaignId, { title: 'Winter', version })).toMatchObject({
      status: 'changed',
      campaign: { title: 'Winter', version: version + 1 },
    });
    expect(await editCampaign(merchant, campaignId, { title: 'Spring', version })).toMatchObject({
      status: 'version_conflict',
      current: { title: 'Winter' },
    });
    const entries = await db().auditEntry.findMany({
      where: { subjectKind: 'campaign', subjectId: campaignId },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['campaign.create', null, expect.objectContaining({ limitPerUser: 2 })],
      ['campaign.edit', { title: campaign.title }, { title: 'Winter' }],
    ]);
  });

  it('[A8] once a sale is published, the limit only rises, and the sale stays in its campaign', async () => {
    const { merchant, campaign, sales } = await makeCampaign(2, [{}]);
    const { campaignId } = campaign;
    const edit = async (limitPerUser: number | null) => {
      const { version = 0 } = (await readCampaignView(merchant, campaignId)) ?? {};
      return (await editCampaign(merchant, campaignId, { limitPerUser, version })).status;
    };
    expect([await edit(1), await edit(null), await edit(2), await edit(5), await edit(4)]).toEqual([
      'limit_fixed',
      'limit_fixed',
      'changed',
      'changed',
      'limit_fixed',
    ]);
    const [sale] = sales;
    const moved = await editSale(merchant, sale?.saleId ?? '', {
      campaignId: null,
      version: sale?.version ?? 0,
    });
    expect(moved).toMatchObject({ status: 'fixed', fields: [{ path: 'campaignId', reason: 'published' }] });
    const { merchant: second, campaign: free } = await makeCampaign(null, [{}]);
    const version = free.version;
    expect(await editCampaign(second, free.campaignId, { limitPerUser: 3, version })).toEqual({
      status: 'limit_fixed',
    });
  });

  it('[A8] refuses to share a limit where the script does not decide, also at publishing', async () => {
    const needsScript = { status: 'campaign', code: 'CAMPAIGN_NEEDS_SCRIPT' };
    await expect(makeCampaign(2, [{ strategy: 'database' }])).rejects.toThrow('campaign');
    await expect(makeCampaign(2, [{ strategy: 'lock' }])).rejects.toThrow('campaign');
    await expect(makeCampaign(2, [{ onStockOutage: 'database' }])).rejects.toThrow('campaign');
    // Any sale may belong to a campaign without a limit; then the limit comes, before it is published.
    const { sale, merchant } = await makeDraft({ strategy: 'database' });
    const made = await createCampaign(merchant, {
      ...given,
      slug: sale.slug.slice(0, 80),
      limitPerUser: null,
    });
    if (made.status !== 'created') throw new Error(made.status);
    const { campaignId, version } = made.campaign;
    const joined = await editSale(merchant, sale.saleId, { campaignId, version: sale.version });
    expect(joined).toMatchObject({ status: 'changed', sale: { campaign: { campaignId } } });
    await editCampaign(merchant, campaignId, { limitPerUser: 2, version });
    expect(await publishSale(merchant, sale.saleId)).toEqual(needsScript);
  });

  it('[A8] is archived only when nothing of it runs or is to come; then no sale joins it or is published', async () => {
    const { merchant, campaign, sales } = await makeCampaign(2, [{}]);
    const { campaignId } = campaign;
    expect(await archiveCampaign(merchant, campaignId)).toEqual({ status: 'in_use' });
    await closeSale(merchant, sales[0]?.saleId ?? '');
    expect(await archiveCampaign(merchant, campaignId)).toMatchObject({ campaign: { status: 'archived' } });
    await expect(
      createCampaign(merchant, { ...given, slug: `${campaign.slug}-2` }).then(async (made) => {
        if (made.status !== 'created') return made;
        await archiveCampaign(merchant, made.campaign.campaignId);
        return makeDraftIn(merchant, sales[0]?.saleId ?? '', made.campaign.campaignId);
      }),
    ).resolves.toEqual({ status: 'campaign', code: 'CAMPAIGN_ARCHIVED' });
    expect(await reopenCampaign(merchant, campaignId)).toMatchObject({ campaign: { status: 'open' } });
  });

  it('[A8] sums what its sessions have sold', async () => {
    const { merchant, campaign } = await makeCampaign(2, [{ totalStock: 5 }, { totalStock: 7 }]);
    expect(await readCampaignView(merchant, campaign.campaignId)).toMatchObject({
      sales: 2,
      sums: { total: 12, held: 0, sold: 0, people: 0 },
      sessions: [
        { status: 'published', total: 5, people: 0 },
        { status: 'published', total: 7, people: 0 },
      ],
    });
  });
});

/** Tries to make a draft of the same product in a campaign. */
async function makeDraftIn(merchant: Parameters<typeof publishSale>[0], like: string, campaignId: string) {
  const { productId } = await db().sale.findUniqueOrThrow({ where: { id: like } });
  const now = Date.now();
  return createSale(
    merchant,
    newSale.parse({
      productId,
      title: 'Late',
      priceMinor: 100,
      currency: 'CNY',
      totalStock: 1,
      limitPerUser: 1,
      startsAt: now,
      endsAt: now + 1_000,
      campaignId,
    }),
  );
}
