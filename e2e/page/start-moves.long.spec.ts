import { type Browser, expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper, type Shopper, unique } from '../support/accounts';
import { newCampaign } from '../support/campaigns';
import { editSale, newSale, type SaleOptions, startSoon, stateOf } from '../support/sales';
import { buyButton, buyLink, heading } from '../support/shop';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PAUSED = 'The merchant paused the sale. It starts only once it goes on. Keep this page open.';

/** Opens a page in a browser of its own, as people who wait have one each. */
async function open(browser: Browser, shopper: Shopper, path: string): Promise<Page> {
  const context = await browser.newContext();
  await context.addCookies(shopper.client.browserCookies());
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

/** Expects the countdown of a page to lead to this start. */
const expectStart = (page: Page, startsAt: number) =>
  expect(page.locator(`section time[datetime="${new Date(startsAt).toISOString()}"]`).first()).toBeVisible();

test('[A3 A8] every open page follows a start that moves and a pause before it, and sells at the new start', async ({
  browser,
}) => {
  const [shopper, campaign, merchant] = await Promise.all([newShopper(), newCampaign(), demoMerchant()]);
  const startsAt = Date.now() + 2 * HOUR_MS;
  const coming = (options: SaleOptions) =>
    newSale({ startsAt, endsAt: startsAt + HOUR_MS, entryOpensAt: startsAt - 3 * HOUR_MS, ...options });
  const sales = await Promise.all([
    coming({ campaignId: campaign.campaignId }),
    coming({ admission: 'waiting_room' }),
    coming({ admission: 'draw', waitlist: true }),
    coming({ reservation: { opensAt: startsAt - 3 * HOUR_MS, closesAt: startsAt - HOUR_MS } }),
  ]);
  const pages = await Promise.all(sales.map(({ slug }) => open(browser, shopper, `/sales/${slug}`)));
  const [plain, room, draw, reserved] = pages as [Page, Page, Page, Page];
  const session = await open(browser, shopper, `/campaigns/${campaign.slug}`);
  await buyButton(room, 'Join the line').click();
  await buyButton(draw, 'Enter the draw').click();
  await buyButton(reserved, 'Reserve').click();
  await expect(reserved.getByText(/^Reserved\. Come back/)).toBeVisible();
  for (const page of [...pages, session]) await expectStart(page, startsAt);

  const later = startsAt + 3 * HOUR_MS;
  for (const { saleId } of sales) {
    const moved = await editSale(saleId, { startsAt: later, endsAt: later + HOUR_MS });
    expect(moved.status, moved.text).toBe(200);
  }
  for (const page of [...pages, session]) await expectStart(page, later);
  for (const page of [...pages, session])
    await expect(
      page.locator('[aria-live=polite]').getByText(/^The merchant moved the start to/),
    ).toBeVisible();

  for (const verb of ['pause', 'resume']) {
    for (const { saleId } of sales) await merchant.post(`/api/admin/sales/${saleId}/${verb}`);
    for (const page of [...pages, session])
      await expect(page.getByText(PAUSED)).toHaveCount(verb === 'pause' ? 1 : 0);
    for (const page of [...pages, session]) await expectStart(page, later);
  }

  for (const { saleId } of sales.slice(0, 2)) await startSoon(saleId);
  await expect(buyButton(room, 'Buy now')).toBeVisible();
  await buyButton(plain, 'Buy now').click();
  await expect(buyLink(plain, /^Pay within/)).toBeVisible();
});

test('[L3] the merchant moves the start on the sale’s page, and is told how many wait', async ({ page }) => {
  const [shopper, merchant] = await Promise.all([newShopper(), demoMerchant()]);
  const startsAt = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + 2 * HOUR_MS;
  const { saleId } = await newSale({
    startsAt,
    endsAt: startsAt + HOUR_MS,
    entryOpensAt: startsAt - 3 * HOUR_MS,
    admission: 'waiting_room',
  });
  expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await page.context().addCookies(merchant.browserCookies());
  await page.goto(`/admin/sales/${saleId}`);
  await expect(page.getByText('1 person waits already.')).toBeVisible();
  const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
  const start = page.getByLabel('Start', { exact: true });
  await start.fill(local(Date.now() - HOUR_MS));
  await expect(start).toHaveAccessibleDescription(/The start must be in the future/);
  await start.fill(local(startsAt + HOUR_MS));
  await expect(page.getByLabel('End', { exact: true })).toHaveValue(local(startsAt + 2 * HOUR_MS));
  // A title that a colleague changes meanwhile stays, and so does the start that was entered.
  const title = `Renamed ${unique()}`;
  expect((await editSale(saleId, { title, startsAt: startsAt + HOUR_MS / 2 })).status).toBe(200);
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(title);
  await expect(start).toHaveValue(local(startsAt + HOUR_MS));
  await expect(page.getByText(/^Someone else changed this meanwhile/)).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('1 person waits already.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(page.getByText('Done.')).toBeVisible();
  expect(await stateOf(saleId)).toMatchObject({
    startsAt: startsAt + HOUR_MS,
    endsAt: startsAt + 2 * HOUR_MS,
  });
  await expect(heading(page, title)).toBeVisible();
});
