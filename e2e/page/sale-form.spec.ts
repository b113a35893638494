import { expect, type Page, test } from '@playwright/test';
import { demoMerchant, unique } from '../support/accounts';
import { newDraft, newSale, stateOf } from '../support/sales';
import { heading } from '../support/shop';

const MINUTE_MS = 60_000;
/** Formats a moment as a `datetime-local` field takes it; the browser runs in UTC. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

async function openAdmin(page: Page, path: string): Promise<void> {
  await page.context().addCookies((await demoMerchant()).browserCookies());
  await page.goto(path);
}

const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click();
const sayYes = (page: Page) =>
  page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();

test('[L3] a sale is made in steps, looked at before it is made, edited, checked and published; its end is moved', async ({
  page,
}) => {
  const name = `In steps ${unique()}`;
  await openAdmin(page, '/admin/sales');
  await page.getByRole('button', { name: 'New sale' }).click();
  await next(page);
  await expect(page.getByLabel('Product name')).toBeFocused();
  await page.getByLabel('Product name').fill('無線耳機');
  await expect(page.getByLabel('Address of the product')).toHaveValue(/^sale-[a-z0-9]{6}$/);
  await page.getByLabel('Product name').fill(name);
  await page.getByLabel('Description').fill('Folded by hand.');
  await page.getByLabel('Title of the sale').fill(name);
  await next(page);
  await page.getByLabel('Flash price').fill('a lot');
  await next(page);
  await expect(page.getByLabel('Flash price')).toHaveAccessibleDescription(/Enter an amount/);
  await page.getByLabel('Flash price').fill('12.50');
  await page.getByLabel('List price').fill('25');
  await next(page);
  await page.getByLabel('End', { exact: true }).fill(local(Date.now() - MINUTE_MS));
  await next(page);
  await expect(page.getByText('The end must come after the start.')).toBeVisible();
  const startsAt = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  await page.getByLabel('Start', { exact: true }).fill(local(startsAt));
  await page.getByLabel('End', { exact: true }).fill(local(startsAt + 60 * MINUTE_MS));
  const timeline = page.getByRole('region', { name: 'How the sale goes' });
  await expect(timeline.getByRole('listitem')).toContainText([
    'Shoppers can get ready',
    'The sale starts',
    'The sale ends',
    'The last purchase has to be paid',
  ]);
  await next(page);
  await page.getByLabel('Before entry shoppers solve').selectOption('A sum in a picture');
  await next(page);
  const preview = page.getByRole('region', { name: 'What shoppers will see' });
  await expect(preview).toContainText(name);
  await expect(preview).toContainText('$12.50');
  await expect(preview).toContainText('Save $12.50 (50%)');
  await expect(preview).toContainText('Folded by hand.');
  await expect(preview).toContainText('you solve a short puzzle');
  await page.getByRole('button', { name: 'Create draft' }).click();

  await expect(heading(page, name)).toBeVisible();
  await page.getByRole('button', { name: 'Edit the draft' }).click();
  await page.getByRole('button', { name: 'Price and stock' }).click();
  await expect(page.getByLabel('Flash price')).toHaveValue('12.50');
  await page.getByLabel('Pieces').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Edit the draft' })).toBeVisible();
  await expect(page.getByText('The start has passed: the sale begins as soon as you publish.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'A worker is running' })).toContainText('Fine');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await sayYes(page);

  await expect(page.getByText('Total 7', { exact: true })).toBeVisible();
  const saleId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const end = page.getByLabel('End', { exact: true });
  await end.fill(local(startsAt + 30 * MINUTE_MS));
  await expect(end).toHaveAccessibleDescription(/The end can only be later/);
  await end.fill(local(startsAt + 90 * MINUTE_MS));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Shoppers can buy until');
  await sayYes(page);
  await expect(page.getByText('Done.')).toBeVisible();
  expect(await stateOf(saleId)).toMatchObject({ endsAt: startsAt + 90 * MINUTE_MS, status: 'live' });
});

test('[L3] the list is searched, and its address says for what @long', async ({ page }) => {
  const word = unique();
  await Promise.all([newDraft({ title: `Draft ${word}` }), newSale({ title: `Open ${word}` })]);
  await openAdmin(page, '/admin/sales');
  const rows = page.getByRole('row').filter({ hasText: word });
  await page.getByLabel('Search by title or product').fill(word);
  await expect(rows).toHaveCount(2);
  await page.getByLabel('State', { exact: true }).selectOption('Drafts');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`q=${word}`));
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(`Draft ${word}`);
  await page.getByLabel('Search by title or product').fill(`${word} and no other`);
  await expect(page.getByText('No sale fits. Change the filters.')).toBeVisible();
});

test('[O1 L3] a sale that is over is copied: everything of it, tomorrow @long', async ({ page }) => {
  const merchant = await demoMerchant();
  const sale = await newSale({ priceMinor: 1234, limitPerUser: 3, clickLockSec: 7, totalStock: 8 });
  expect((await merchant.post(`/api/admin/sales/${sale.saleId}/close`)).status).toBe(200);
  await openAdmin(page, `/admin/sales/${sale.saleId}`);
  await page.getByRole('link', { name: 'Copy', exact: true }).click();
  await expect(page.getByLabel('Title of the sale')).toHaveValue(sale.title);
  await page.getByLabel('Title of the sale').fill(`${sale.title} again`);
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(heading(page, `${sale.title} again`)).toBeVisible();
  const copyId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(copyId).not.toBe(sale.saleId);
  const read = async (saleId: string) => (await merchant.get(`/api/admin/sales/${saleId}`)).body;
  const [old, copy] = [await read(sale.saleId), await read(copyId)];
  expect(copy).toMatchObject({
    status: 'draft',
    productId: sale.productId,
    priceMinor: 1234,
    limitPerUser: 3,
  });
  expect(copy).toMatchObject({ clickLockSec: 7, totalStock: 8, currency: old.currency });
  expect(Number(copy.startsAt)).toBeGreaterThan(Date.now());

  await page.goto('/admin/sales?copy=nothing');
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/admin\/sales$/);
  await page.getByRole('button', { name: 'New sale' }).click();
  await expect(page.getByLabel('Title of the sale')).toHaveValue('');
});
