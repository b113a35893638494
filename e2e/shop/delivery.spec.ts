import { expect, type Page, test } from '@playwright/test';
import { newShopper, newStaff } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import type { Client } from '../support/client';
import { newProduct, saleInput } from '../support/sales';
import { buyLink, buyOnPage, heading, toasts, useSession } from '../support/shop';

/** Has a new merchant say, in the admin area, how a product is sent and taxed, and what parcels cost; then sells it. */
async function sellByParcel(desk: Page, merchant: Client): Promise<string> {
  const productId = await newProduct(merchant);
  await desk.goto('/admin/products');
  await desk.getByRole('button', { name: /^Edit/ }).click();
  await desk.getByLabel('How it reaches the buyer').selectOption({ label: 'By parcel' });
  await desk.getByLabel('Weight, g').fill('half a pound');
  await desk.getByLabel('Tax included, %').fill('19');
  await desk.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(desk.getByLabel('Weight, g')).toBeFocused();
  await desk.getByLabel('Weight, g').fill('250');
  await desk.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(desk.getByLabel('Weight, g')).toBeHidden();

  await desk.goto('/admin/shop');
  for (const [nth, countries, grams, price] of [
    [1, 'DE', '500', '4.90'],
    [2, 'de, at', '', '12.90'],
  ] as const) {
    await desk.getByRole('button', { name: 'Add a rule' }).click();
    const rule = desk.getByRole('group', { name: `Rule ${nth}` });
    await rule.getByLabel('Countries').fill(countries);
    await rule.getByLabel('Up to, g').fill(grams);
    await rule.getByLabel('Price').fill(price);
  }
  await desk.getByRole('group', { name: 'Rule 2' }).getByLabel('Countries').fill('Austria');
  await desk.getByRole('button', { name: 'Save shipping' }).click();
  await expect(desk.getByText('Write countries with two letters each.')).toBeVisible();
  await expectAccessible(desk, 'prices of shipping');
  await desk.getByRole('group', { name: 'Rule 2' }).getByLabel('Countries').fill('de, at');
  await desk.getByRole('button', { name: 'Move Rule 1 later' }).click();
  await expect(desk.getByRole('group', { name: 'Rule 1' }).getByLabel('Countries')).toHaveValue('de, at');
  await desk.getByRole('button', { name: 'Move Rule 2 earlier' }).click();
  await desk.getByRole('button', { name: 'Save shipping' }).click();
  await expect(toasts(desk).getByText('Shipping is saved.')).toBeVisible();

  const draft = await merchant.post('/api/admin/sales', { ...saleInput(), productId });
  expect(draft.status, draft.text).toBe(201);
  await merchant.post(`/api/admin/sales/${draft.body.saleId}/publish`);
  return String(draft.body.slug);
}

test('[O5] an order that goes by parcel gets its address and the price of shipping, is paid, packed and shipped, and its shopper sees it', async ({
  page,
  browser,
}) => {
  const [{ client: merchant }, shopper] = await Promise.all([newStaff('merchant'), newShopper()]);
  const desk = await browser.newContext();
  await useSession(desk, { client: merchant });
  const staff = await desk.newPage();
  const slug = await sellByParcel(staff, merchant);

  // The shopper buys, and is asked where to.
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await expect(page.getByText('Includes 19% tax. Shipping is added for your address')).toBeVisible();
  await buyOnPage(page);
  await buyLink(page, /^Pay within/).click();
  await expect(page.getByRole('heading', { name: 'Where should we send it?' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Pay €/ })).toBeHidden();
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await expect(page.getByText('For example 26133')).toBeVisible();
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(page.getByLabel('Full name')).toBeFocused();
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Street and house number').fill('Unter den Linden 1');
  await page.getByLabel('Postal code').fill('1011');
  await page.getByLabel('Town or city').fill('Berlin');
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(page.getByText('Postal codes of this country look like 26133.')).toBeVisible();
  await expectAccessible(page, 'the form of an address');
  await page.getByLabel('Postal code').fill('10117');
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(page.getByText('10117 Berlin')).toBeVisible();
  for (const [label, amount] of [
    ['Shipping', '€4.90'],
    ['Amount', '€46.90'],
    ['Tax included (19%)', '€7.49'],
    ['Without tax', '€39.41'],
  ] as const)
    await expect(page.locator(`dt:text-is("${label}") + dd`)).toHaveText(amount);

  await page.getByRole('button', { name: 'Pay €46.90' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Pay €46.90' }).click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
  await expect(page.getByText('Not packed yet')).toBeVisible();
  await page.getByRole('button', { name: 'Change the address' }).click();
  await page.getByLabel('Street and house number').fill('Unter den Linden 2');
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(page.getByText('Unter den Linden 2')).toBeVisible();
  const orderNo = page.url().split('/').at(-1) ?? '';

  // Staff find it, look where it goes, pack it and send it.
  await staff.goto('/admin/orders');
  await staff.getByLabel('Delivery').selectOption({ label: 'Not packed yet' });
  await staff.getByRole('link', { name: orderNo }).click();
  await staff.getByRole('button', { name: 'Show the address' }).click();
  await expect(staff.getByText('Unter den Linden 2')).toBeVisible();
  await staff.getByRole('button', { name: 'Mark as packed' }).click();
  await expect(toasts(staff).getByText('Order packed.')).toBeVisible();
  await staff.getByLabel('Carrier').fill('Post');
  await staff.getByLabel('Tracking number').fill('00340434');
  await staff.getByLabel('Tracking link').fill('javascript:alert(1)');
  await staff.getByRole('button', { name: 'Mark as shipped' }).click();
  await expect(staff.getByLabel('Tracking link')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(staff, 'the form of a parcel');
  await staff.getByLabel('Tracking link').fill('https://post.example/1');
  await staff.getByRole('button', { name: 'Mark as shipped' }).click();
  await expect(toasts(staff).getByText('Order shipped. The shopper is told.')).toBeVisible();

  // The shopper sees it, and is told.
  await page.reload();
  await expect(page.getByText('00340434')).toBeVisible();
  const track = page.getByRole('link', { name: 'Track the parcel' });
  await expect(track).toHaveAttribute('href', 'https://post.example/1');
  await expect(track).toHaveAttribute('rel', /noopener/);
  await expect(page.getByRole('button', { name: 'Change the address' })).toBeHidden();
  await expectAccessible(page, 'an order on its way');
  await expect(async () => {
    const { notifications } = (await shopper.client.get('/api/notifications')).body;
    expect((notifications as { kind: string }[]).map(({ kind }) => kind)).toContain('order_shipped');
  }).toPass({ timeout: 60_000 });
  await desk.close();

  // The account has kept the first address, which the shopper changes and takes away.
  await page.goto('/account/addresses');
  await page.getByRole('button', { name: 'Change the address Ada Lovelace, Unter den Linden 1' }).click();
  await page.getByLabel('Street and house number').fill('Hof 3');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Address saved.')).toBeVisible();
  await expect(page.getByText('Hof 3')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the address Ada Lovelace, Hof 3' }).click();
  await expect(page.getByText('You have saved no address.')).toBeVisible();
});
