import { expect, type Page, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { ALL_HOLD } from '../support/all-hold';
import { execute } from '../support/database';
import { newRoom, newSale } from '../support/sales';
import { buyButton, buyLink, signInOnPage, useSession } from '../support/shop';

const HOUR_MS = 3_600_000;

/** Returns the place of the buy button, which must not move. */
const boxOf = async (page: Page) =>
  page
    .locator('main button, main a')
    .filter({ hasText: /reserve/i })
    .first()
    .boundingBox();

test('[H1] a shopper signs in, reserves, lets go of it and reserves again; the button keeps its place', async ({
  page,
}) => {
  const now = Date.now();
  const reservation = { opensAt: now - 60_000, closesAt: now + HOUR_MS / 2 };
  const [shopper, { slug }] = await Promise.all([
    newShopper(),
    newSale({ startsAt: now + HOUR_MS, endsAt: now + 2 * HOUR_MS, reservation }),
  ]);
  await page.goto(`/sales/${slug}`);
  const signIn = buyLink(page, 'Sign in to reserve');
  await expect(signIn).toBeVisible();
  await expect(page.getByText('0 reserved')).toBeVisible();
  const before = await boxOf(page);
  await signIn.click();
  await signInOnPage(page, shopper);

  await expect(page.getByText(/^Reserve until .*Only those who reserve can buy/)).toBeVisible();
  await buyButton(page, 'Reserve').click();
  await expect(buyButton(page, 'Reserved')).toBeDisabled();
  await expect(page.getByText(/^Reserved\. Come back .*; nothing more to do\./)).toBeVisible();
  await expect(page.getByText('1 reserved')).toBeVisible();
  await expect.poll(() => boxOf(page)).toEqual(before);

  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(buyButton(page, 'Reserve')).toBeEnabled();
  await expect.poll(() => boxOf(page)).toEqual(before);
  await buyButton(page, 'Reserve').click();
  await expect(buyButton(page, 'Reserved')).toBeDisabled();
  await page.reload();
  await expect(buyButton(page, 'Reserved')).toBeDisabled();
});

test('[H1 M1] before a waiting room one reserves on its page, and has a place in it only then', async ({
  page,
}) => {
  const now = Date.now();
  const reservation = { opensAt: now - 60_000, closesAt: now + HOUR_MS / 2 };
  const [shopper, { slug }] = await Promise.all([newShopper(), newRoom('waiting_room', { reservation })]);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await buyButton(page, 'Reserve').click();
  await buyButton(page, 'Join the line').click();
  await expect(
    page.getByText('You are in. At the start everybody here is put in random order.'),
  ).toBeVisible();
});

test('[H2] a sale that is live sells to who reserved, and tells everybody else calmly', async ({
  page,
  context,
  browser,
}) => {
  const now = Date.now();
  const reservation = { opensAt: now - HOUR_MS, closesAt: now - 60_000 };
  const [holder, stranger, { slug, saleId }, { slug: upcoming }] = await Promise.all([
    newShopper(),
    newShopper(),
    newSale({ reservation }),
    newSale({ startsAt: now + HOUR_MS, endsAt: now + 2 * HOUR_MS, reservation }),
  ]);
  await execute('INSERT INTO reservations VALUES ($1, $2, $3, NULL, false)', [
    saleId,
    holder.userId,
    new Date(now - 120_000),
  ]);
  await useSession(context, holder);
  await page.goto(`/sales/${slug}`);
  await buyButton(page, 'Buy now').click();
  await expect(buyLink(page, /^Pay within/)).toBeVisible();

  const other = await browser.newContext();
  await useSession(other, stranger);
  const visit = await other.newPage();
  await visit.goto(`/sales/${slug}`);
  await expect(buyButton(visit, 'Not available to you')).toBeDisabled();
  await expect(visit.getByText('This sale is for shoppers who reserved beforehand.')).toBeVisible();
  await visit.goto(`/sales/${upcoming}`);
  await expect(buyButton(visit, 'Reservations are over')).toBeDisabled();
  await expect(visit.getByText(/^Reserving ended/)).toBeVisible();
  await other.close();
});

test('[H1] a merchant gives a sale a reservation window and sees who reserved @long', async ({ page }) => {
  const local = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  const now = Date.now();
  const name = `Reserved ${now}`;
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as merchant@example.com' }).click();
  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByLabel('Product name').fill(name);
  await page.getByLabel('Title of the sale').fill(name);
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'When' }).click();
  await page.getByLabel('Start', { exact: true }).fill(local(now + HOUR_MS));
  await page.getByLabel('End', { exact: true }).fill(local(now + 2 * HOUR_MS));
  const [opens, closes] = [page.getByLabel('Reservations open'), page.getByLabel('Reservations close')];
  await opens.fill(local(now - HOUR_MS));
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByText('Give both times, or neither.')).toBeVisible();
  await closes.fill(local(now + 2 * HOUR_MS));
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByText('Must come after the opening, and not after the start.')).toBeVisible();
  await closes.fill(local(now + HOUR_MS / 2));
  await page.getByRole('button', { name: 'Create draft' }).click();

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, do it' }).click();
  await expect(page.getByText(ALL_HOLD)).toBeVisible();
  const saleId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { client } = await newShopper();
  expect((await client.post(`/api/sales/${saleId}/reservation`)).status).toBe(201);
  const card = page.getByRole('heading', { name: 'Reservations' }).locator('..');
  await expect(card.getByText('1', { exact: true })).toHaveCount(2);
});
