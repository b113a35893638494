import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { demoMerchant, unique } from '../support/accounts';
import { ALL_HOLD } from '../support/all-hold';
import { newSale } from '../support/sales';
import { clientOf } from '../support/sessions';
import { heading, useSession } from '../support/shop';

test('[L4] an auditor reads what was done to a sale, sees that the log is whole, exports it, and is offered no change', async ({
  page,
}) => {
  const { saleId } = await newSale({ totalStock: 5 });
  const merchant = await demoMerchant();
  await merchant.post(`/api/admin/sales/${saleId}/pause`);
  await merchant.post(`/api/admin/sales/${saleId}/stock`, {
    delta: 2,
    reason: 'two more',
    // Asked for again where the answer is lost, it is done once.
    requestId: unique(),
  });
  const auditor = await clientOf('auditor@example.com');
  await useSession(page.context(), { client: auditor });

  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(heading(page, 'Audit log')).toBeVisible();
  await expect(page.getByText(/^The log is whole: [\d,]+ entries\.$/)).toBeVisible();
  await expect(
    page.getByText(/^The hash of the last entry, to be kept elsewhere: [0-9a-f]{64}$/),
  ).toBeVisible();
  await page.getByRole('searchbox', { name: 'To what' }).fill(saleId);
  const rows = page.getByRole('row').filter({ hasText: saleId });
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(0)).toContainText('Changed the stock');
  await expect(rows.nth(0)).toContainText('“two more”');
  await expect(rows.nth(0)).toContainText(/totalStock\s*Before:\s*5\s*→\s*After:\s*7/);
  // Right-to-left text that people wrote does not turn the values beside it round.
  await expect(rows.nth(0).locator('dd bdi').filter({ hasText: /^7$/ })).toBeVisible();
  await expect(rows.nth(1)).toContainText('merchant@example.com');

  await page.getByRole('combobox', { name: 'Action' }).fill('sale.pause');
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Paused a sale');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  const csv = await readFile(await file.path(), 'utf8');
  expect(csv.split('\r\n')).toHaveLength(3);
  expect(csv).toContain(`sale.pause,sale,${saleId}`);

  await page.goto(`/admin/sales/${saleId}`);
  await expect(page.getByText(ALL_HOLD)).toBeVisible();
  for (const name of ['Resume', 'End the sale', 'Apply', 'Set limits'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await page.goto('/admin/audit?actor=nobody@example.com');
  await expect(page.getByText('Nothing was done that fits.')).toBeVisible();
});

test('[L4] support is told that the audit log is not theirs', async ({ page }) => {
  const support = await clientOf('support@example.com');
  await useSession(page.context(), { client: support });
  await page.goto('/admin/audit');
  await expect(page.getByText('This page is for auditors, operators and admins.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
});
