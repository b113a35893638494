import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectAvailable, newSale } from '../support/sales';
import { buyButton, buyLink, useSession } from '../support/shop';

test('[A5] a reload or a second tab goes on with the same attempt', async ({ page, context }) => {
  const [shopper, { slug, saleId }] = await Promise.all([newShopper(), newSale({ limitPerUser: 5 })]);
  await useSession(context, shopper);
  // The answer never arrives: the shopper can't know whether the purchase went through.
  let sent = 0;
  await page.route('**/api/sales/*/purchase/*', async (route) => {
    await route.fetch();
    await route.abort();
    sent += 1;
  });
  await page.goto(`/sales/${slug}`);
  await buyButton(page, 'Buy now').click();
  await expect(buyButton(page, /^(Sending…|Trying again in \d+ s)$/)).toBeDisabled();
  await expect.poll(() => sent).toBeGreaterThan(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await page.reload();
  const link = buyLink(page, /^Pay within/);
  await expect(link).toBeVisible();
  const order = (await link.getAttribute('href')) ?? '';
  expect(order).toMatch(/^\/orders\/\d+$/);

  const tab = await context.newPage();
  await tab.goto(`/sales/${slug}`);
  await expect(buyLink(tab, /^Pay within/)).toHaveAttribute('href', order);
  await expectAvailable(saleId, 9);
  expect((await shopper.client.get('/api/orders')).body.orders).toHaveLength(1);
});

test('[A5 P6] whose answer is lost just before the sale is closed learns all the same that a piece is theirs', async ({
  page,
}) => {
  const [merchant, shopper, { slug, saleId }] = await Promise.all([demoMerchant(), newShopper(), newSale()]);
  await useSession(page.context(), shopper);
  let [sent, isLost] = [0, true];
  await page.route('**/api/sales/*/purchase/*', async (route) => {
    if (!isLost) return route.continue();
    await route.fetch();
    await route.abort();
    sent += 1;
  });
  await page.goto(`/sales/${slug}`);
  await buyButton(page, 'Buy now').click();
  await expect.poll(() => sent).toBeGreaterThan(0);
  const closed = await merchant.post(`/api/admin/sales/${saleId}/close`);
  expect(closed.status, closed.text).toBe(200);
  await expect(page.getByRole('region', { name: 'The sale is over' })).toBeVisible();
  isLost = false;
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
});

test('[A5] a click in one tab shows in the other', async ({ page, context }) => {
  const [shopper, { slug }] = await Promise.all([newShopper(), newSale()]);
  await useSession(context, shopper);
  const other = await context.newPage();
  await Promise.all([page.goto(`/sales/${slug}`), other.goto(`/sales/${slug}`)]);
  await expect(buyButton(other, 'Buy now')).toBeEnabled();
  await buyButton(page, 'Buy now').click();
  await expect(buyLink(other, /^Pay within/)).toBeVisible();
});

test('[A5] the button is locked for as long as the sale says after a click that was refused', async ({
  page,
  context,
}) => {
  const [shopper, { slug }] = await Promise.all([newShopper(), newSale({ clickLockSec: 12 })]);
  await useSession(context, shopper);
  const problem = {
    type: 'about:blank',
    title: 'x',
    status: 409,
    code: 'SOLD_OUT',
    detail: 'x',
    requestId: 'x',
    available: 0,
  };
  await page.route('**/api/sales/*/purchase/*', (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
  await page.goto(`/sales/${slug}`);
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  const from = Date.now();
  await buyButton(page, 'Buy now').click();
  await expect(buyButton(page, /^Try again in \d+ s$/)).toBeDisabled();
  await expect(page.getByText('The last piece went before your purchase arrived.')).toBeVisible();
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  expect(Date.now() - from).toBeGreaterThan(11_000);
});
