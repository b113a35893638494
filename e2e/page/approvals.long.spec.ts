import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper, newStaff } from '../support/accounts';
import { buy, expectOrder, newSale, pay } from '../support/sales';
import { useSession } from '../support/shop';

/** More units than one person may add in the product under test. */
const MANY = 20_000;
/** More than one person may refund. */
const MUCH_MINOR = 2_000_000;

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
  const waits = page.getByRole('status').filter({ hasText: "Waits for a second person's approval." });
  await expect(waits).toBeVisible();
  await waits.getByRole('link', { name: 'See it under Approvals' }).click();
  const card = page.getByRole('listitem').filter({ hasText: title });
  await expect(card).toContainText('Add 20,000 pieces');
  await expect(card).toContainText('You asked for this');
  await expect(card.getByRole('button', { name: 'Allow' })).toHaveCount(0);

  const context = await browser.newContext();
  await useSession(context, { client: await demoAdmin() });
  const admin = await context.newPage();
  await admin.goto('/admin/approvals');
  const question = admin.getByRole('listitem').filter({ hasText: title });
  await expect(question).toContainText('a second lorry');
  await question.getByRole('button', { name: 'Allow' }).click();
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(question).toHaveCount(0);
  await admin.getByLabel('Show').selectOption('All');
  await expect(question).toContainText('Done');
  await expect(card).toHaveCount(0, { timeout: 150_000 });
  await expect
    .poll(async () => (await merchant.get(`/api/admin/sales/${saleId}/live`)).body)
    .toMatchObject({ stock: { total: 10 + MANY, available: 10 + MANY } });
  await context.close();
});

test('[L3] a large refund says that it waits for a second person, and nothing is sent back before', async ({
  page,
  browser,
}) => {
  const [shopper, merchant, sale] = await Promise.all([
    newShopper(),
    demoMerchant(),
    newSale({ priceMinor: MUCH_MINOR }),
  ]);
  const orderNo = await buy(shopper, sale.saleId);
  await pay(shopper, orderNo);
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/orders/${orderNo}`);
  await page.getByLabel('Reason').fill('the wrong colour');
  await page.getByRole('button', { name: 'Refund €20,000.00' }).click();
  await page.getByRole('button', { name: 'Yes, refund it' }).click();
  const waits = page.getByRole('status').filter({ hasText: "Waits for a second person's approval." });
  await expect(waits).toContainText('Nothing has changed yet.');
  await expect(page.getByText('Refund of €20,000.00 decided.')).toHaveCount(0);
  await expectOrder(shopper, orderNo, 'paid');
  // The page says so to every visitor, and also after a reload.
  await page.reload();
  await expect(waits).toContainText('merchant@example.com asked');
  await expect(waits).toContainText('the wrong colour');
  await expect(page.getByRole('button', { name: /^Refund/ })).toHaveCount(0);
  const context = await browser.newContext();
  await useSession(context, await newStaff('support'));
  const theirs = await context.newPage();
  await theirs.goto(`/admin/orders/${orderNo}`);
  await expect(theirs.getByRole('status').filter({ hasText: 'merchant@example.com asked' })).toBeVisible();
  await context.close();
  await waits.getByRole('link', { name: 'See it under Approvals' }).click();
  const card = page.getByRole('listitem').filter({ hasText: orderNo });
  await expect(card).toContainText('Send €20,000.00 back');

  const admin = await demoAdmin();
  const { body } = await admin.get('/api/admin/approvals?status=pending&limit=100');
  const asked = (body.approvals as { approvalId: string; request: { orderNo?: string } }[]).find(
    ({ request }) => request.orderNo === orderNo,
  );
  const allowed = await admin.post(`/api/admin/approvals/${asked?.approvalId}/approve`);
  expect(allowed.status, allowed.text).toBe(200);
  await expectOrder(shopper, orderNo, 'refunded');
});
