import { expect, test } from '@playwright/test';
import { newShopper, unique } from '../support/accounts';
import { ALL_HOLD } from '../support/all-hold';
import { buyOnPage, heading, useSession } from '../support/shop';

/** Formats a moment as a `datetime-local` field takes it; the browser runs in UTC. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

test('[C2 C3 C5 C10 J4] a merchant chooses who decides purchases, is told what it means, and sees it on the live view', async ({
  page,
  browser,
}) => {
  const name = `By database ${unique()}`;
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as merchant@example.com' }).click();
  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByLabel('Product name').fill(name);
  await page.getByLabel('Title of the sale').fill(name);
  const next = page.getByRole('button', { name: 'Next' });
  await next.click();
  await page.getByLabel('Pieces').fill('3');
  await next.click();
  await page.getByLabel('Start', { exact: true }).fill(local(Date.now() - 60_000));
  await page.getByLabel('End', { exact: true }).fill(local(Date.now() + 3_600_000));
  await next.click();
  const strategy = page.getByLabel('Who decides purchases');
  await expect(strategy).toHaveValue('script');
  const outage = page.getByLabel('While Redis is away');
  await expect(outage).toHaveValue('closed');
  await outage.selectOption('Sell through Postgres');
  await expect(outage).toHaveAccessibleDescription(/holds back what Redis may have promised/);
  await strategy.selectOption('Distributed lock');
  await expect(strategy).toHaveAccessibleDescription(/take turns under a lock/);
  await strategy.selectOption('Queue first');
  await expect(strategy).toHaveAccessibleDescription(/in the order in which they came/);
  // The merchant has no choice unless Redis decides.
  await expect(outage).toHaveCount(0);
  await strategy.selectOption('Database');
  await expect(strategy).toHaveAccessibleDescription(/one database transaction/);
  await page.getByRole('button', { name: 'Create draft' }).click();

  await expect(heading(page, name)).toBeVisible();
  await expect(page.getByText('Purchases: Database')).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, do it' }).click();
  await expect(page.getByText(ALL_HOLD)).toBeVisible();
  const salePage = (await page.getByRole('link', { name: 'See the sale page' }).getAttribute('href')) ?? '';

  const context = await browser.newContext();
  await useSession(context, await newShopper());
  const shop = await context.newPage();
  await shop.goto(salePage);
  await buyOnPage(shop);
  await page.getByRole('button', { name: /^1 / }).click();
  await expect(page.getByText(/Postgres: 2 available, 1 held, 0 sold/)).toBeVisible({ timeout: 150_000 });
  await context.close();
});
