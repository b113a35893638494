import { expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { buy, newSale } from '../support/sales';
import { heading, toasts, useSession } from '../support/shop';

/** A red square. What follows a picture's end is no part of it, but makes it another file. */
const picture = (text: string) =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWP4z8DwnwGM/zMwAAAf7gP9qS/A4gAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from(text),
  ]);
const UPLOADED = /^\/media\/[0-9a-f]{64}\/640\.webp$/;

async function openNewProduct(page: Page, name: string) {
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as merchant@example.com' }).click();
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Products' }).click();
  await page.getByRole('button', { name: 'New product' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Create product' }).click();
  await expect(page.getByText('This is needed.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
}

/** Drops a file on the form, as from the desktop. */
const drop = async (page: Page, name: string, bytes: Buffer) =>
  page.getByRole('group', { name: 'Pictures' }).dispatchEvent('drop', {
    dataTransfer: await page.evaluateHandle(
      ([file, base64]) => {
        const data = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([data], file, { type: 'image/png' }));
        return transfer;
      },
      [name, bytes.toString('base64')] as const,
    ),
  });

test('[O1] a merchant gives a product pictures with texts, and shoppers leaf through them', async ({
  page,
}) => {
  const name = `Paper kite ${unique()}`;
  await openNewProduct(page, name);
  const input = page.getByLabel('Choose pictures');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  await input.setInputFiles({ name: 'kite.png', mimeType: 'image/png', buffer: svg });
  await expect(page.getByText(/^kite.png: This is no JPEG, PNG, WebP or AVIF picture/)).toBeVisible();
  await input.setInputFiles({
    name: 'back.pdf',
    mimeType: 'application/pdf',
    buffer: picture(`back ${name}`),
  });
  await expect(page.getByText('1 picture uploaded. Save to keep what you see.')).toBeVisible();
  await drop(page, '../../front.png', picture(`front ${name}`));
  await expect(page.getByLabel('What picture 2 shows')).toBeVisible();
  await page.getByLabel('What picture 1 shows').fill('The kite from behind');
  await page.getByLabel('What picture 2 shows').fill('The kite in the sky');
  await page.getByRole('button', { name: 'Move Picture 2 earlier' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('What picture 1 shows')).toHaveValue('The kite in the sky');
  await page.getByLabel('Attributes').fill('Material paper');
  await page.getByRole('button', { name: 'Create product' }).click();
  await expect(page.getByLabel('Attributes')).toHaveAccessibleDescription(/a name, a colon and a value/);
  await page.getByLabel('Attributes').fill('Material: paper\nSpan: 1.20 m');
  await expectAccessible(page, 'the form with two pictures');
  await page.getByRole('button', { name: 'Create product' }).click();
  const row = page.getByRole('row', { name });
  await expect(row.locator('img')).toHaveAttribute('src', UPLOADED);
  const file = await page.request.get(String(await row.locator('img').getAttribute('src')));
  expect([file.status(), file.headers()['content-type'], file.headers()['cache-control']]).toEqual([
    200,
    'image/webp',
    'public, max-age=31536000, immutable',
  ]);

  const { products } = await (await page.request.get('/api/admin/products?limit=100')).json();
  const { productId } = products.find((each: { name: string }) => each.name === name);
  const sale = await newSale({ productId });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/sales/${sale.slug}`);
  await expect(heading(page, sale.title)).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: '1.20 m' })).toBeVisible();
  const shown = (alt: string) => page.getByRole('img', { name: alt, exact: true });
  const [sky, behind] = [shown('The kite in the sky'), shown('The kite from behind')];
  await expect(sky).toBeInViewport();
  await expect(behind).not.toBeInViewport();
  expect([await sky.getAttribute('loading'), await behind.getAttribute('loading')]).toEqual([
    'eager',
    'lazy',
  ]);
  await page.getByRole('link', { name: 'Picture 2: The kite from behind' }).click();
  await expect(behind).toBeInViewport({ ratio: 0.9 });
  await expect(sky).not.toBeInViewport();
  await expectAccessible(page, 'the gallery');

  await page.goto(`/admin/products?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await page.getByRole('button', { name: 'Remove Picture 1' }).click();
  await page.getByRole('button', { name: 'Remove Picture 1' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name }).locator('img')).not.toHaveAttribute('src', UPLOADED);
});

test('[O1] a merchant makes products and drafts of their sales from a file, after it was checked @long', async ({
  page,
}) => {
  const [name, title, slug] = [`Tin box ${unique()}`, `Boxes ${unique()}`, `box-${unique()}`];
  await page.context().addCookies((await demoMerchant()).browserCookies());
  await page.goto('/admin/products');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const input = page.getByLabel('Choose a file and check it');
  const give = (text: string) =>
    input.setInputFiles({ name: 'boxes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const head = 'slug;name;sale;price;currency;stock;starts_at;ends_at';
  const line = (price: string) =>
    `${slug};${name};${title};${price};EUR;5;2030-01-31T10:00:00Z;2030-01-31T11:00:00Z`;
  await give(`\uFEFF${head}\r\n${line('cheap')}\r\n`);
  await expect(page.getByText('Line 2, price: this is not possible here')).toBeVisible();
  await expectAccessible(page, 'a file with a wrong line');
  await give('"');
  await expect(page.getByText(/^This file can’t be read: is not CSV/)).toBeVisible();
  await give(`\uFEFF${head}\r\n${line('4,50')}\r\n`);
  await expect(
    page.getByText('The file is right: 1 new product and 1 sale. Nothing is made yet.'),
  ).toBeVisible();
  await expect(page.getByRole('rowheader', { name })).toBeHidden();
  await page.getByRole('button', { name: 'Make them' }).click();
  await expect(page.getByText('Made: 1 new product and 1 draft of a sale.')).toBeVisible();
  await expect(page.getByRole('rowheader', { name })).toBeVisible();
  await page.goto(`/admin/sales?q=${encodeURIComponent(title)}`);
  await expect(page.getByRole('row', { name: title })).toContainText('€4.50');
});

test('[O1] a merchant archives a product, which no new sale offers, and takes it back @long', async ({
  page,
}) => {
  const [name, merchant] = [`Paper boat ${unique()}`, await demoMerchant()];
  const { productId } = (
    await merchant.post('/api/admin/products', { slug: `boat-${unique()}`, name, description: 'Folded' })
  ).body;
  const sale = await newSale({ productId: String(productId) });
  await page.context().addCookies(merchant.browserCookies());
  await page.goto('/admin/products');
  await page.getByRole('searchbox', { name: /^Search by name/ }).fill(name);
  const row = page.getByRole('row', { name });
  await row.getByRole('button', { name: `Archive ${name}` }).click();
  await expect(page.getByRole('alert').filter({ hasText: sale.title })).toContainText('is not archived');
  await expectAccessible(page, 'a product that is being sold');
  await merchant.post(`/api/admin/sales/${sale.saleId}/close`);
  await row.getByRole('button', { name: `Archive ${name}` }).click();
  await expect(toasts(page).getByText(`“${name}” is archived.`)).toBeVisible();
  await expect(row).toBeHidden();

  await page.goto('/admin/sales');
  await page.getByRole('button', { name: 'New sale' }).click();
  const choice = page.getByLabel('Product', { exact: true });
  await expect(choice.getByRole('option', { name: 'A new product' })).toBeAttached();
  await expect(choice.locator('option').nth(1)).toBeAttached();
  await expect(choice.getByRole('option', { name })).toHaveCount(0);
  await page.goto(`/admin/sales?copy=${sale.saleId}`);
  await expect(choice.getByRole('option', { name: `${name} (archived)` })).toBeAttached();
  await expect(choice).toHaveValue(String(productId));
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByText('This product is archived. Open it again first.')).toBeVisible();

  await page.goto('/admin/products?status=archived');
  await page.getByRole('button', { name: `Open ${name} again` }).click();
  await expect(row).toBeHidden();
  await page.getByLabel('State').selectOption('Active');
  await expect(row).toBeVisible();
});

test('[O1 A1] a merchant gives texts in another language, and shoppers read them on its pages @long', async ({
  page,
}) => {
  const [merchant, shopper, name] = [await demoMerchant(), await newShopper(), `Tea set ${unique()}`];
  const product = {
    slug: `tea-${unique()}`,
    name,
    description: 'Six cups',
    attributes: { Material: 'clay' },
  };
  const { productId } = (await merchant.post('/api/admin/products', product)).body;
  const sale = await newSale({ productId: String(productId) });
  await page.context().addCookies(merchant.browserCookies());
  await page.goto(`/admin/products?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await page.getByText('In 中文').click();
  const chinese = page.getByRole('group', { name: 'In 中文' });
  await chinese.getByLabel('Attributes').fill('材质');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(chinese.getByLabel('Attributes')).toBeFocused();
  await chinese.getByLabel('Attributes').fill('材质：陶');
  await chinese.getByLabel('Description').fill('六只杯子');
  await expectAccessible(page, 'the form of a product with a language open');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toasts(page).getByText(`“${name}” is saved.`)).toBeVisible();

  const title = `茶具 ${unique()}`;
  await page.goto(`/admin/sales/${sale.saleId}`);
  await page.getByLabel('Title in 中文').fill(title);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('Done.')).toBeVisible();

  const orderNo = await buy(shopper, sale.saleId);
  await page.context().clearCookies();
  await useSession(page.context(), shopper);
  await page.goto(`/zh-CN/sales/${sale.slug}`);
  await expect(heading(page, title)).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`^${title}`));
  await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', '六只杯子');
  await expect(page.getByText('六只杯子')).toBeVisible();
  await expect(page.getByRole('definition')).toContainText(['陶']);
  await page.goto(`/zh-CN/orders/${orderNo}`);
  await expect(page.getByRole('definition').filter({ hasText: title })).toBeVisible();
  await page.goto(`/orders/${orderNo}`);
  await expect(page.getByRole('definition').filter({ hasText: sale.title })).toBeVisible();
  await page.goto(`/sales/${sale.slug}`);
  await expect(heading(page, sale.title)).toBeVisible();
  await expect(page.getByText('Six cups')).toBeVisible();
  await expect(page.getByText('clay')).toBeVisible();
});
