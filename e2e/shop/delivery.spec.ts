import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { newProduct, newSale } from '../support/sales';
import { buyLink, buyOnPage, heading, toasts, useSession } from '../support/shop';

test('[O5] an order that goes by parcel gets its address, is paid, packed and shipped, and its shopper sees it', async ({
  page,
  browser,
}) => {
  const merchant = await demoMerchant();
  const productId = await newProduct();
  const body = { delivery: { way: 'parcel' }, version: 1 };
  await merchant.request('PATCH', `/api/admin/products/${productId}`, { body });
  const [shopper, { slug }] = await Promise.all([newShopper(), newSale({ productId })]);

  // The shopper buys, and is asked where to.
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
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

  await page.getByRole('button', { name: /^Pay €/ }).click();
  await page.getByRole('main').getByRole('button', { name: 'Pay €42.00' }).click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
  await expect(page.getByText('Not packed yet')).toBeVisible();
  await page.getByRole('button', { name: 'Change the address' }).click();
  await page.getByLabel('Street and house number').fill('Unter den Linden 2');
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(page.getByText('Unter den Linden 2')).toBeVisible();
  const orderNo = page.url().split('/').at(-1) ?? '';

  // Staff find it, look where it goes, pack it and send it.
  const desk = await browser.newContext();
  await useSession(desk, { client: merchant });
  const staff = await desk.newPage();
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
