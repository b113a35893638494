import { expect, type Page, test } from '@playwright/test';
import { unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { newSale } from '../support/sales';
import { heading, untilListed } from '../support/shop';

/** One pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const UPLOADED = /^\/media\/[0-9a-f]{64}\/640\.webp$/;
/** Decoding has the lowest priority. */
const UPLOAD_WITHIN_MS = 180_000;

async function openProducts(page: Page) {
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as merchant@example.com' }).click();
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Products' }).click();
}

test('[O1] a merchant gives a product a picture of their own, and shoppers see it', async ({ page }) => {
  const name = `Paper boat ${unique()}`;
  await openProducts(page);
  await page.getByRole('button', { name: 'New product' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Create product' }).click();
  await expect(page.getByText('This is needed.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);

  const file = page.getByLabel('Choose pictures');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await file.setInputFiles({ name: 'boat.png', mimeType: 'image/png', buffer: svg });
  await expect(page.getByText(/This is no picture that the shop can read/)).toBeVisible();
  await file.setInputFiles({ name: 'boat.pdf', mimeType: 'application/pdf', buffer: PIXEL });
  await expect(page.getByText('1 picture uploaded. Save to keep what you see.')).toBeVisible({
    timeout: UPLOAD_WITHIN_MS,
  });
  await page.getByRole('button', { name: 'Create product' }).click();

  const row = page.getByRole('row', { name });
  await untilListed(page, row);
  await expect(row.locator('img')).toHaveAttribute('src', UPLOADED);
  const address = (await row.locator('img').getAttribute('src')) ?? '';
  const picture = await page.request.get(address);
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/webp']);
  expect(picture.headers()['cache-control']).toBe('public, max-age=31536000, immutable');

  const { products } = await (await page.request.get('/api/admin/products?limit=100')).json();
  const { productId } = products.find((each: { name: string }) => each.name === name);
  const sale = await newSale({ productId });
  await page.goto(`/sales/${sale.slug}`);
  await expect(heading(page, sale.title)).toBeVisible();
  await expect(page.locator(`main img[src="${address}"]`)).toBeVisible();

  await page.goto('/admin/products');
  await untilListed(page, row);
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await page.getByRole('button', { name: 'Remove picture 1' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name }).locator('img')).not.toHaveAttribute('src', UPLOADED);
});

test('[O1] two pictures with their texts reach a shopper with a phone', async ({ page }) => {
  const name = `Paper kite ${unique()}`;
  await openProducts(page);
  await page.getByRole('button', { name: 'New product' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  const files = ['front', 'back'].map((side) => ({
    name: `${side}.png`,
    mimeType: 'image/png',
    // Whatever follows a picture's end is no part of it, but makes it another file.
    buffer: Buffer.concat([PIXEL, Buffer.from(side + unique())]),
  }));
  await page.getByLabel('Choose pictures').setInputFiles(files);
  await expect(page.getByText('2 pictures uploaded. Save to keep what you see.')).toBeVisible({
    timeout: 2 * UPLOAD_WITHIN_MS,
  });
  await page.getByLabel('What picture 1 shows').fill('The kite from behind');
  await page.getByLabel('What picture 2 shows').fill('The kite in the sky');
  const earlier = page.getByRole('button', { name: 'Move picture 2 earlier' });
  await earlier.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('What picture 1 shows')).toHaveValue('The kite in the sky');
  await expectAccessible(page, 'the form with two pictures');
  await page.getByRole('button', { name: 'Create product' }).click();
  await untilListed(page, page.getByRole('row', { name }));

  const { products } = await (await page.request.get('/api/admin/products?limit=100')).json();
  const { productId } = products.find((each: { name: string }) => each.name === name);
  const sale = await newSale({ productId });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/sales/${sale.slug}`);
  await expect(heading(page, sale.title)).toBeVisible();
  const picture = (alt: string) => page.getByRole('img', { name: alt, exact: true });
  const sky = picture('The kite in the sky');
  const behind = picture('The kite from behind');
  await expect(sky).toBeInViewport();
  await expect(behind).not.toBeInViewport();
  await page.getByRole('link', { name: 'Picture 2: The kite from behind' }).click();
  await expect(behind).toBeInViewport({ ratio: 0.9 });
  await expect(sky).not.toBeInViewport();
  await expectAccessible(page, 'the gallery');
});

test('[O1] a copy of a sale begins with its values and asks for its times', async ({ page }) => {
  const sale = await newSale({ totalStock: 37 });
  await openProducts(page);
  await page.goto(`/admin/sales/${sale.saleId}`);
  await page.getByRole('link', { name: 'Copy this sale' }).click();
  await expect(page.getByText(`This begins with the values of “${sale.title}”.`)).toBeVisible();
  await expect(page.getByLabel('Title of the sale')).toHaveValue(sale.title);
  await page.getByRole('button', { name: 'Create draft' }).click();
  const starts = page.getByLabel('Start', { exact: true });
  await expect(starts).toBeFocused();
  await starts.fill('2031-05-01T10:00');
  await page.getByLabel('End', { exact: true }).fill('2031-05-01T11:00');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page).toHaveURL(/\/admin\/sales\/sale_/);
  await expect(page.getByRole('heading', { level: 1, name: sale.title })).toBeVisible();
  const copyId = new URL(page.url()).pathname.split('/').at(-1);
  expect(copyId).not.toBe(sale.saleId);
  const { totalStock, status } = await (await page.request.get(`/api/admin/sales/${copyId}`)).json();
  expect({ totalStock, status }).toEqual({ totalStock: 37, status: 'draft' });
});
