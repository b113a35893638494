import { afterAll, expect, it } from 'vitest';
import { listCampaigns } from '@/lib/campaign/list-campaigns';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { makeCampaign } from '@/test/support/make-campaign';
import { makeUser } from '@/test/support/make-sale';
import { findCampaignPage } from './find-campaign-page';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

it('[A8] the page of a campaign has its published and closed sales in order of their starts, and no drafts', async () => {
  const now = Date.now();
  const { campaign, sales } = await makeCampaign(4, [
    { startsAt: now + 60_000 },
    { startsAt: now - 60_000 },
    {},
  ]);
  const [later, sooner, draft] = sales.map(({ saleId }) => saleId);
  await db().sale.update({ where: { id: draft }, data: { status: 'draft' } });
  const page = await findCampaignPage(campaign.slug);
  expect(page).toMatchObject({ slug: campaign.slug, limitPerUser: 4 });
  expect(page?.sales.map(({ saleId }) => saleId)).toEqual([sooner, later]);
});

it('[A8] there is none for a campaign without published sales, for nonsense and for what is too long', async () => {
  const { campaign } = await makeCampaign(null, []);
  for (const slug of [campaign.slug, '', 'no-such', `${campaign.slug}\0`, 'x'.repeat(81), "' OR 1=1"])
    expect(await findCampaignPage(slug), slug).toBeNull();
});

it('[A8] the list of campaigns shows a merchant’s own, newest first, each once, with how many sales they have', async () => {
  const { merchant, campaign } = await makeCampaign(3, [{}, {}]);
  const mine = await listCampaigns(merchant.userId, { limit: 20 });
  expect(mine).toMatchObject({
    campaigns: [{ campaignId: campaign.campaignId, sales: 2 }],
    nextCursor: null,
  });
  const { userId: other } = await makeUser('merchant');
  expect(await listCampaigns(other, { limit: 20 })).toEqual({ campaigns: [], nextCursor: null });
  await makeCampaign(null, []);
  const first = await listCampaigns(null, { limit: 1 });
  const second = await listCampaigns(null, { limit: 1, cursor: first.nextCursor ?? '' });
  expect(first.campaigns[0]?.campaignId).not.toBe(second.campaigns[0]?.campaignId);
});
