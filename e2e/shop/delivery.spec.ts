import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { newSale } from '../support/sales';
import { buyLink, buyOnPage, heading, toasts, untilListed, useSession } from '../support/shop';

test('[O5] an order that is shipped gets its address, is paid, packed and shipped, and its shopper sees it', async ({
  page,
  browser,
}) => {
  // A merchant makes a product that is sent.
  const name = `Backpack ${unique()}`;
  const merchant = await demoMerchant();
  const desk = await browser.newContext();
  await useSession(desk, { client: merchant });
  const staff = await desk.newPage();
  await staff.goto('/admin/products');
  await staff.getByRole('button', { name: 'New product' }).click();
  await staff.getByLabel('Name', { exact: true }).fill(name);
  await staff.getByLabel('Delivery').selectOption({ label: 'Sent by parcel' });
  await expect(staff.getByText('Buyers give an address before they pay.')).toBeVisible();
  await staff.getByRole('button', { name: 'Create product' }).click();
  await untilListed(staff, staff.getByRole('row', { name }));
  const { body } = await merchant.get('/api/admin/products?limit=100');
  const { productId } = (body.products as { name: string; productId: string }[]).find(
    (each) => each.name === name,
  ) ?? { productId: '' };

  // A shopper buys and is asked where to.
  const shopper = await newShopper();
  const { slug } = await newSale({ productId });
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await buyOnPage(page);
  await buyLink(page, /^Pay within/).click();
  await expect(page.getByRole('heading', { name: 'Where shall it go?' })).toBeVisible();
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
  const { width, height } = page.viewportSize() ?? { width: 390, height: 844 };
  await expectAccessible(page, 'the form of an address');
  await page.setViewportSize({ width, height });
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

  // Staff find it, pack it and send it.
  await staff.goto('/admin/orders');
  await staff.getByLabel('Only what is to be packed').check();
  await staff.getByRole('link', { name: orderNo }).click();
  await expect(staff.getByText('Unter den Linden 2')).toBeVisible();
  await staff.getByRole('button', { name: 'Mark as packed' }).click();
  await expect(toasts(staff).getByText('Order packed.')).toBeVisible();
  await staff.getByRole('button', { name: 'Mark as on its way' }).click();
  await expect(staff.getByText('Fill this in.').first()).toBeVisible();
  await staff.getByLabel('Carrier').fill('Post');
  await staff.getByLabel('Tracking number').fill('00340434');
  await staff.getByLabel('Link to follow it').fill('http://post.example/1');
  await expectAccessible(staff, 'the form of a parcel');
  await staff.getByLabel('Link to follow it').fill('https://post.example/1');
  await staff.getByRole('button', { name: 'Mark as on its way' }).click();
  await expect(toasts(staff).getByText('Order on its way; the shopper is told.')).toBeVisible();

  // The shopper sees it, and is told.
  await page.reload();
  await expect(page.getByText('00340434')).toBeVisible();
  const track = page.getByRole('link', { name: 'Follow the parcel' });
  await expect(track).toHaveAttribute('href', 'https://post.example/1');
  await expect(track).toHaveAttribute('rel', /noopener/);
  await expect(page.getByRole('button', { name: 'Change the address' })).toBeHidden();
  await expectAccessible(page, 'an order on its way');
  await expect(async () => {
    const told = (await shopper.client.get('/api/notifications')).body.notifications as { kind: string }[];
    expect(told.map(({ kind }) => kind)).toContain('order_shipped');
  }).toPass({ timeout: 90_000 });
  await staff.getByRole('button', { name: 'Mark as delivered' }).click();
  await expect(toasts(staff).getByText('Order delivered.')).toBeVisible();

  // The account has kept the first address, which the shopper may take away.
  await page.goto('/account');
  await expect(page.getByText('Unter den Linden')).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('You have saved none.')).toBeVisible();
  await desk.close();
});
