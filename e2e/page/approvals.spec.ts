import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant } from '../support/accounts';
import { newSale } from '../support/sales';
import { useSession } from '../support/shop';

/** More than the product these tests run against lets one person add. */
const MANY = 20_000;

test('[C5] a merchant asks for many more pieces; an admin allows it, and they are there', async ({
  page,
  browser,
}) => {
  const [merchant, { saleId, title }] = await Promise.all([demoMerchant(), newSale()]);
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/sales/${saleId}`);
  await page.getByRole('button', { name: 'Change stock' }).click();
  await page.getByLabel('Pieces to add').fill(String(MANY));
  await page.getByLabel('Reason').fill('a second lorry');
  await page.getByRole('button', { name: 'Apply' }).click();
  const sayYes = (name: string) => page.getByRole('alertdialog').getByRole('button', { name }).click();
  await sayYes('Yes, do it');
  await expect(page.getByText('This takes a second person.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Approvals' }).click();
  const card = page.getByRole('listitem').filter({ hasText: title });
  await expect(card).toContainText('Add 20,000 pieces');
  await expect(card).toContainText('You asked for this');
  await expect(card.getByRole('button', { name: 'Allow' })).toHaveCount(0);

  const context = await browser.newContext();
  await useSession(context, { client: await demoAdmin() });
  const desk = await context.newPage();
  await desk.goto('/admin/approvals');
  const question = desk.getByRole('listitem').filter({ hasText: title });
  await expect(question).toContainText('a second lorry');
  await question.getByRole('button', { name: 'Allow' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(question).toHaveCount(0);
  await desk.getByLabel('Show').selectOption('All');
  await expect(question).toContainText('Done');
  await expect(card).toHaveCount(0, { timeout: 20_000 });
  const { body } = await merchant.get(`/api/admin/sales/${saleId}/live`);
  expect(body).toMatchObject({ stock: { total: 10 + MANY, available: 10 + MANY } });
  await context.close();
});
