import { expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { expectBalanced } from '../support/commands';
import { buy, newRoom, newSale, type SaleOptions, startSoon, stateOf } from '../support/sales';
import { buyButton, buyLink, buyOnPage, useSession } from '../support/shop';

const SIZES = ['Small', 'Medium', 'Large'];

const choice = (page: Page, name: RegExp) =>
  page.getByRole('radiogroup', { name: 'Which one' }).getByRole('radio', { name });

/** Makes a live sale of small, medium and large pieces with a waitlist. */
const newSizes = (stocks: [number, number, number], options: SaleOptions = {}) =>
  newSale({
    waitlist: true,
    totalStock: stocks.reduce((sum, stock) => sum + stock),
    variants: stocks.map((stock, at) => ({
      name: SIZES[at] as string,
      stock,
      picture: null,
    })),
    ...options,
  });

/** Holds a page's requests to an address back. @returns lets them go */
async function holdBack(page: Page, url: string): Promise<() => void> {
  let letGo = () => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(url, async (route) => {
    await free;
    await route.continue();
  });
  return letGo;
}

test('[O3 M2] a shopper waits for a variant that is gone, buys another one meanwhile, and gets the one that comes back', async ({
  page,
}) => {
  const [shopper, owner, { saleId, slug }] = await Promise.all([
    newShopper(),
    newShopper(),
    newSizes([1, 0, 3], { limitPerUser: 2 }),
  ]);
  const orderNo = await buy(owner, saleId, 1, 1);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await choice(page, /^Large 3 left/).check();
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  await choice(page, /^Small sold out, waitlist/).check();
  await expectAccessible(page, 'a variant that can be waited for');
  await buyButton(page, 'Tell me if one comes back').click();
  await expect(buyButton(page, 'You are number 1')).toBeDisabled();
  await expect(page.getByText('You wait for Small.')).toBeVisible();
  await choice(page, /^Medium/).check();
  await expect(buyButton(page, 'You are number 1')).toBeDisabled();
  await expectAccessible(page, 'a place on the waitlist of a variant');
  await page.reload();
  await expect(page.getByText('You wait for Small.')).toBeVisible();

  await choice(page, /^Large/).check();
  await buyOnPage(page);
  const orders = async () => (await shopper.client.get('/api/orders')).body.orders;
  expect(await orders()).toMatchObject([{ variantName: 'Large' }]);
  expect((await owner.client.post(`/api/orders/${orderNo}/cancel`)).status).toBe(200);
  await expect.poll(orders).toHaveLength(2);
  expect(await orders()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ variantName: 'Large' }),
      expect.objectContaining({ variantName: 'Small', status: 'pending_payment' }),
    ]),
  );
  expect((await stateOf(saleId)).stock).toMatchObject({ variants: [0, 0, 2] });
  await expectBalanced(saleId);
});

test('[O3 M2] once all is gone the shopper is asked which one to wait for @long', async ({ page }) => {
  const [shopper, owner, { saleId, slug }] = await Promise.all([
    newShopper(),
    newShopper(),
    newSizes([0, 1, 0]),
  ]);
  const orderNo = await buy(owner, saleId, 1, 2);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await buyButton(page, 'Tell me if one comes back').click();
  await expect(page.getByText('Choose which one you want, then press the button again.')).toBeVisible();
  await expect(choice(page, /^Small/)).toBeFocused();
  await choice(page, /^Medium/).check();
  await buyButton(page, 'Tell me if one comes back').click();
  await expect(buyButton(page, 'You are number 1')).toBeDisabled();
  expect((await owner.client.post(`/api/orders/${orderNo}/cancel`)).status).toBe(200);
  await expect(buyLink(page, /^Pay within/)).toBeVisible({ timeout: 150_000 });
  await expectBalanced(saleId);
});

test('[O3 M4] a draw of variants: each person wishes one, changes it, and wins or waits for that one; staff see it by variant @long', async ({
  page,
  browser,
}) => {
  test.setTimeout(900_000);
  const [shopper, other, late] = await Promise.all([newShopper(), newShopper(), newShopper()]);
  const stocks = [1, 0, 2] as const;
  const variants = stocks.map((stock, at) => ({ name: SIZES[at] as string, stock, picture: null }));
  const { slug, saleId } = await newRoom('draw', { totalStock: 3, variants });
  await useSession(page.context(), shopper);
  const answerAboutPlace = await holdBack(page, '**/api/sales/*/line');
  await page.goto(`/sales/${slug}`);
  // The choice is there before anybody knows whether the shopper takes part, so that the button stays where it is.
  await expect(choice(page, /^Large 2 left/)).toBeVisible();
  const loading = await buyButton(page, 'One moment…').boundingBox();
  answerAboutPlace();
  await expect(buyButton(page, 'Enter the draw')).toBeEnabled();
  expect(await buyButton(page, 'Enter the draw').boundingBox()).toEqual(loading);
  await buyButton(page, 'Enter the draw').click();
  await expect(page.getByText('Choose which one you want, then press the button again.')).toBeVisible();
  await choice(page, /^Large/).check();
  await expectAccessible(page, 'a draw that asks for a wish');
  await buyButton(page, 'Enter the draw').click();
  await expect(page.getByText('You entered for Large.')).toBeVisible();
  await choice(page, /^Medium/).check();
  await buyButton(page, 'Enter for this one instead').click();
  await expect(page.getByText('You entered for Medium.')).toBeVisible();
  await expectAccessible(page, 'a draw whose wish was changed');
  await page.reload();
  await expect(choice(page, /^Medium/)).toBeChecked();
  expect((await other.client.post(`/api/sales/${saleId}/line`, { variant: 1 })).status).toBe(201);
  expect((await other.client.post(`/api/sales/${saleId}/line`)).body.code).toBe('VARIANT_UNKNOWN');

  await startSoon(saleId);
  // The medium ones are none: who wished one waits, although a large one is left.
  await expect(buyButton(page, "You're in line")).toBeVisible({ timeout: 240_000 });
  await expect(page.getByText('You entered for Medium.')).toBeVisible();
  await expect(page.getByText('No unit of it is left for you now.')).toBeVisible();
  await expectAccessible(page, 'a draw of variants that was not won');
  await expect
    .poll(async () => (await other.client.get(`/api/sales/${saleId}/line`)).body, { timeout: 150_000 })
    .toMatchObject({ variant: 1, draw: { orderNo: expect.stringMatching(/^\d+$/) } });

  const device = await browser.newContext();
  await useSession(device, late);
  const later = await device.newPage();
  await later.goto(`/sales/${slug}`);
  await choice(later, /^Large/).check();
  await buyButton(later, 'Get the next free piece').click();
  await buyLink(later, 'Open your order').click();
  await expect(later).toHaveURL(/\/orders\/\d+$/);
  await expect
    .poll(async () => (await late.client.get('/api/orders')).body.orders)
    .toMatchObject([{ variantName: 'Large' }]);
  const given = new URL(later.url()).pathname.split('/').at(-1);
  expect((await late.client.post(`/api/orders/${given}/cancel`)).status).toBe(200);
  await later.goto(`/sales/${slug}`);
  await expect(buyButton(later, 'Get the next free piece')).toBeEnabled();

  await useSession(device, { client: await demoMerchant() });
  await later.goto(`/admin/sales/${saleId}`);
  const byVariant = later.getByRole('table').filter({ hasText: 'Medium' });
  await expect(byVariant.getByRole('row', { name: 'Small 1 1 1' })).toBeVisible();
  await expect(byVariant.getByRole('row', { name: 'Medium 0 1 0' })).toBeVisible();
  await expectAccessible(later, 'a draw of variants in the admin area');
  await device.close();
  await expectBalanced(saleId);
});
