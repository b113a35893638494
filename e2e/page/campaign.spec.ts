import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper, unique } from '../support/accounts';
import { newCampaign } from '../support/campaigns';
import { buy, listedStatusOf, newProduct, newSale } from '../support/sales';
import { buyButton, buyOnPage, heading, toasts, useSession } from '../support/shop';

/** Formats a moment as a `datetime-local` field takes it; the browser runs in UTC. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

test('[A8] a merchant groups sales, and shoppers find one page with one countdown to the next session', async ({
  page,
  browser,
}) => {
  const name = `Lantern festival ${unique()}`;
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as merchant@example.com' }).click();
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Campaigns' }).click();
  await page.getByRole('button', { name: 'New campaign' }).click();
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByLabel('Title').fill(name);
  await page.getByLabel('What it is about').fill('Three evenings of paper lanterns.');
  await page.getByLabel(/^Limit per person/).fill('0');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(page.getByText('A whole number from 1 to 1000, or nothing.')).toBeVisible();
  await page.getByLabel(/^Limit per person/).fill('2');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await expect(heading(page, name)).toBeVisible();
  await expect(page.getByText('Shoppers see it once one of its sales is published.')).toBeVisible();
  const campaignAddress = page.url();

  const session = `Noon ${unique()}`;
  await page.goto('/admin/sales');
  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByLabel('Product name').fill(session);
  await page.getByLabel('Title of the sale').fill(session);
  await page.getByLabel('Campaign').selectOption(name);
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await next.click();
  await next.click();
  await page.getByLabel('Start', { exact: true }).fill(local(Date.now() + 2 * 3_600_000));
  await page.getByLabel('End', { exact: true }).fill(local(Date.now() + 4 * 3_600_000));
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(heading(page, session)).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, do it' }).click();
  await expect(page.getByRole('link', { name: 'See the sale page' })).toBeVisible();

  // Its campaign can't be archived while a session is to come.
  await page.goto(campaignAddress);
  await expect(page.getByRole('row', { name: session })).toBeVisible();
  await page.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText(/^Sales of this campaign run or are to come/)).toBeVisible();
  // Nor can its limit fall.
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel(/^Limit per person/).fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/its limit can only rise/)).toBeVisible();
  await page.getByLabel(/^Limit per person/).fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('One person may have 3 over all sessions.')).toBeVisible();

  const context = await browser.newContext();
  const shop = await context.newPage();
  await expect.poll(() => listedStatusOf(session)).toBe('scheduled');
  const publicPath =
    (await page.getByRole('link', { name: 'See it as shoppers do' }).getAttribute('href')) ?? '';
  // A page that was kept is renewed a moment after the change.
  const openUntil = (address: string, limit: RegExp) =>
    expect(async () => {
      await shop.goto(address);
      await expect(shop.getByText(limit)).toBeVisible({ timeout: 15_000 });
    }).toPass({ timeout: 120_000 });
  await openUntil(publicPath, /^Limit per person over all sessions together: 3\./);
  await expect(heading(shop, name)).toBeVisible();
  await expect(shop.getByRole('timer')).toContainText(/0[12]\s*hours/i);
  await expect(shop.getByRole('listitem').filter({ hasText: session })).toContainText('Next');
  await openUntil(`/zh-CN${publicPath}`, /每人在所有场次合计限购 3 件/);
  await expect(shop.getByRole('heading', { name: '场次' })).toBeVisible();
  await expect(shop.getByRole('listitem').filter({ hasText: session })).toContainText('下一场');
  await context.close();

  // A colleague changes the campaign meanwhile: what was typed stays, the other fields follow.
  const empty = await newCampaign();
  const path = `/api/admin/campaigns/${empty.campaignId}`;
  const colleague = await demoMerchant();
  const change = async (body: { title: string; description?: string; version: number }) =>
    expect((await colleague.request('PATCH', path, { body })).status).toBe(200);
  await page.goto(`/admin/campaigns/${empty.campaignId}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const [title, text] = [page.getByLabel('Title'), page.getByLabel('What it is about')];
  const [renamed, again] = [`Renamed ${unique()}`, `Renamed again ${unique()}`];
  await text.fill('Being written.');
  await change({ title: renamed, description: 'By a colleague.', version: empty.version });
  await expect(title).toHaveValue(renamed);
  await expect(text).toHaveValue('Being written.');
  await expect(page.getByText(/^Someone else changed this meanwhile/)).toBeVisible();
  // Another change comes just before this one: it is not overwritten unseen, and saving again works.
  let isFirst = true;
  await page.route(`**${path}`, async (route) => {
    if (isFirst && route.request().method() === 'PATCH') {
      isFirst = false;
      await change({ title: again, version: empty.version + 1 });
    }
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(title).toHaveValue(again);
  await expect(text).toHaveValue('Being written.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible();
  expect((await colleague.get(path)).body).toMatchObject({ title: again, description: 'Being written.' });

  // An archived campaign is open again with one press.
  await page.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText('Archived', { exact: true })).toBeVisible();
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Open', { exact: true })).toBeVisible();
});

test('[A8] sessions that run, are over and are to come; a shared limit is told in plain words', async ({
  page,
  context,
}) => {
  const [campaign, productId, shopper] = await Promise.all([
    newCampaign({ limitPerUser: 2, description: 'Three evenings of paper lanterns.' }),
    newProduct(),
    newShopper(),
  ]);
  const now = Date.now();
  const make = (title: string, startsAt: number, endsAt: number) =>
    newSale({
      productId,
      campaignId: campaign.campaignId,
      title: `${title} ${unique()}`,
      limitPerUser: 2,
      startsAt,
      endsAt,
    });
  const [ten, noon, evening] = [
    await make('Ten', now - 7_200_000, now + 600_000),
    await make('Noon', now - 1_000, now + 3_600_000),
    await make('Evening', now + 3_600_000, now + 7_200_000),
  ];
  await buy(shopper, ten.saleId);
  await useSession(context, shopper);

  await page.goto(`/sales/${noon.slug}`);
  await expect(page.getByText(/^At most 2 per person over all sessions of /)).toBeVisible();
  await buyOnPage(page);
  await page.goto(`/sales/${ten.slug}`);
  await expect(buyButton(page, 'Not available to you')).toBeVisible();
  const why = page.getByText(/^You have as many as the campaign allows one person over all its sessions: 2/);
  await expect(why).toBeVisible();
  await page.goto(`/zh-CN/sales/${ten.slug}`);
  await expect(page.getByText(/所有场次合计已达每人限购 2 件/)).toBeVisible();

  await page.goto(`/sales/${ten.slug}`);
  await why.getByRole('link', { name: 'the campaign' }).click();
  await expect(heading(page, campaign.title)).toBeVisible();
  const rowOf = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  await expect(rowOf(ten.title)).toContainText('Live');
  await expect(rowOf(noon.title)).toContainText('Live');
  await expect(rowOf(evening.title)).toContainText('Next');
  await expect(page.getByRole('timer')).toContainText(/(?:5\d|00)\s*minutes/i);
  await expect(page.getByRole('timer')).toHaveCount(1);

  await page.goto('/');
  // The sale that began last leads the list; the sales of other tests may fill the rest of the page.
  const card = page.getByRole('listitem').filter({ hasText: noon.title });
  await card.getByRole('link', { name: campaign.title }).click();
  await expect(heading(page, campaign.title)).toBeVisible();
});

test('[A8] a campaign that is not there, or has nothing published, has no page', async ({ page }) => {
  const { slug } = await newCampaign();
  for (const name of [slug, 'no-such-campaign']) {
    const response = await page.goto(`/campaigns/${name}`);
    expect(response?.status()).toBe(404);
  }
});
