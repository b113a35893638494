import { expect, type Locator, type Page, test } from '@playwright/test';
import { demoMerchant } from '../support/accounts';
import { ALL_HOLD } from '../support/all-hold';
import { isLive, openAdmin } from '../support/live-view';
import { loadTokens } from '../support/load-tokens';
import { gateOf, newSale, purchase } from '../support/sales';

const EVENTS = '**/live/events**';
const ASKED = /\/live\?since=/;

/** Finds the figure beside a name, in this part of the page. */
const figure = (part: Page | Locator, name: string) => part.locator(`dt:has-text("${name}") + dd`);

/** The attempts that the shop has counted: a count whose writing Redis confirms too late is written again. */
async function attemptsOf(saleId: string) {
  const { body } = await (await demoMerchant()).get(`/api/admin/sales/${saleId}/live`);
  return body.attempts as { accepted: number; soldOut: number };
}

test('[J5 C5 E10] a crowd is seen as it comes: stock, attempts, orders, refusals, without a reload', async ({
  page,
}) => {
  const { saleId } = await newSale({ totalStock: 60 });
  const [tokens, gate] = await Promise.all([
    loadTokens(saleId, 100, test.info().outputPath('tokens.jsonl')),
    gateOf(saleId),
  ]);
  await openAdmin(page, saleId);
  await isLive(page);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.getByRole('button', { name: 'Table: Attempts per second' }).press('Enter');
  const table = page.getByRole('table', { name: /^Attempts per second/ });
  await expect(table.getByRole('columnheader', { name: 'Accepted' })).toBeVisible();

  await Promise.all(tokens.map((token) => purchase(saleId, gate, token)));
  await expect(figure(page, 'Held').first()).toHaveText('60');
  await expect(figure(page, 'Available')).toHaveText('0');
  // The rate is at most 60 a second, within three seconds; in which second it appears depends on the moment.
  await expect(
    table.getByRole('row').filter({ has: page.getByRole('cell', { name: /^[1-9]/ }) }),
  ).not.toHaveCount(0);
  const written = page.getByRole('figure').filter({ hasText: 'Orders written' });
  await expect(figure(written, 'Written')).toHaveText('60');
  await expect(figure(page, 'Orders').first()).toHaveText('60');
  await expect(page.getByText('Top refusals')).toBeVisible();
  await expect(async () => {
    const { accepted, soldOut } = await attemptsOf(saleId);
    expect(accepted).toBeGreaterThanOrEqual(60);
    expect(soldOut).toBeGreaterThanOrEqual(40);
    await expect(figure(written, 'Accepted')).toHaveText(String(accepted), { timeout: 5_000 });
    const refused = figure(page, 'Sold out').filter({ hasText: new RegExp(`^${soldOut}$`) });
    await expect(refused).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 150_000 });
  await expect(page.getByText(ALL_HOLD)).toBeVisible({ timeout: 150_000 });
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);

  await page.getByRole('button', { name: 'Top refusals' }).press('Enter');
  await expect(page.getByText(/^Why purchases were refused/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '1 holds' }).click();
  await expect(page.getByText('Available + held + sold = total, and none is negative')).toBeVisible();
  await expect(page.getByText(/^Redis: 0 available, 60 held, 0 sold; Postgres: 60 held/)).toBeVisible();
});

test('[J5] cut off from events the admin area asks, cut off from all it says since when, and then it recovers @long', async ({
  page,
}) => {
  const { saleId } = await newSale();
  await page.route(EVENTS, (route) => route.abort());
  await openAdmin(page, saleId);
  await expect(page.getByText(/asked each second$/)).toBeVisible();
  const stale = page.getByText(/^Stale since .+: no fresh figures for \d+ s\./);
  await expect(stale).toBeHidden();

  await page.route(ASKED, (route) => route.abort());
  await expect(stale).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await page.unroute(ASKED);
  await expect(stale).toBeHidden();
  await page.unroute(EVENTS);
  await isLive(page);
});
