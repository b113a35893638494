import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { execute } from '../support/database';
import { buy, newDraft } from '../support/sales';
import { heading, useSession } from '../support/shop';

/**
 * Pretends that a worker has just reconciled this sale: no worker may repair the difference before the test has seen
 * it.
 */
const keepWorkersAway = (saleId: string) => {
  const report = { saleId, cause: 'schedule', checkedAt: Date.now(), tookMs: 1, ok: true, inFlight: 0 };
  return execute(
    `INSERT INTO reconciliations (sale_id, cause, ok, differences, repaired, report, created_at)
     VALUES ($1, 'schedule', true, 0, 0, $2, now() + interval '1 hour')`,
    [saleId, JSON.stringify({ ...report, found: 0, repaired: 0, counts: {}, differences: [] })],
  );
};

test('[C8] a lost release is found, explained, and put right by a button', async ({ page }) => {
  const [shopper, merchant, sale] = await Promise.all([newShopper(), demoMerchant(), newDraft()]);
  const { saleId } = sale;
  await keepWorkersAway(saleId);
  expect((await merchant.post(`/api/admin/sales/${saleId}/publish`)).status).toBe(200);
  const orderNo = await buy(shopper, saleId);

  await useSession(page.context(), { client: merchant });
  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Reconciliation' }).click();
  await expect(heading(page, 'Reconciliation')).toBeVisible();
  await page.goto(`/admin/sales/${saleId}`);
  await page.getByRole('link', { name: 'Reconcile this sale' }).click();
  const one = page.getByRole('region', { name: 'One sale' });
  await expect(one.getByRole('heading', { name: sale.title })).toBeVisible();
  await one.getByRole('button', { name: 'Compare now' }).click();
  await expect(one.getByText(/^On demand/)).toBeVisible();
  await expect(one.getByText('No differences.').first()).toBeVisible();

  await execute(
    `UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired', stock_settled_at = now()
     WHERE id = $1`,
    [orderNo],
  );
  await execute('UPDATE sales SET held_stock = held_stock - 1 WHERE id = $1', [saleId]);
  // Pretends that there are thousands of orders: comparing this small sale would end before anybody could see the
  // progress.
  let isHeld = true;
  let letGo = () => {};
  const isSeen = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(`**/api/admin/sales/${saleId}/reconcile`, async (route) => {
    if (route.request().method() === 'POST') await isSeen;
    else if (isHeld) {
      const progress = { stage: 'orders', done: 1_200, total: 3_000 };
      return route.fulfill({ json: { report: null, progress } });
    }
    return route.continue();
  });
  await one.getByRole('button', { name: 'Compare now' }).click();
  await expect(one.getByText('Orders in Postgres: 1,200 of 3,000')).toBeVisible();
  await expect(one.getByRole('progressbar')).toHaveAttribute('value', /^0\.56/);
  isHeld = false;
  letGo();
  const lost = one.getByRole('region', { name: 'Lost release' });
  await expect(lost).toContainText('Redis still holds its units', { timeout: 150_000 });
  await expect(lost).toContainText(`Order ${orderNo}`);
  await lost.getByRole('button', { name: 'Put right: Lost release' }).click();
  await expect(page.getByText('The units of 1 ended order go back on sale at once.')).toBeVisible();
  await page.getByRole('button', { name: 'Yes, put right' }).click();
  await expect(one.getByText('1 difference, 1 put right.').first()).toBeVisible({ timeout: 150_000 });
  await expect
    .poll(async () => (await merchant.get(`/api/admin/sales/${saleId}/live`)).body.stock)
    .toMatchObject({ available: 10, held: 0 });
});
