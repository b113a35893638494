import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { buy, newSale, type Sale } from '../support/sales';
import { buyButton, buyLink, heading, useSession } from '../support/shop';

const openSale = (page: import('@playwright/test').Page, { slug }: Sale) => page.goto(`/sales/${slug}`);

test('[C1 L4] says in its own words why it cannot be bought', async ({ page, context }) => {
  const [shopper, other, merchant] = await Promise.all([newShopper(), newShopper(), demoMerchant()]);
  const [soldOut, ended, paused, members, far, live] = await Promise.all([
    newSale({ totalStock: 1 }),
    newSale(),
    newSale(),
    newSale({ minLevel: 5 }),
    newSale({ startsAt: Date.now() + 40 * 60_000, entryOpensAt: Date.now() + 30 * 60_000 }),
    newSale(),
  ]);
  await Promise.all([
    buy(other, soldOut.saleId),
    merchant.post(`/api/admin/sales/${ended.saleId}/close`),
    merchant.post(`/api/admin/sales/${paused.saleId}/pause`),
  ]);

  await openSale(page, live);
  await expect(buyLink(page, 'Sign in to buy')).toHaveAttribute(
    'href',
    `/signin?callbackUrl=%2Fsales%2F${live.slug}`,
  );
  await expect(page.getByText('The sale is live. Sign in and you come straight back here.')).toBeVisible();
  await openSale(page, far);
  await expect(buyButton(page, /^Starts in (3[5-9]|40):\d\d$/)).toBeDisabled();

  await useSession(context, shopper);
  await openSale(page, soldOut);
  await expect(buyButton(page, 'Sold out')).toBeDisabled();
  await expect(page.getByRole('progressbar', { name: 'Share of the stock that is claimed' })).toHaveAttribute(
    'aria-valuenow',
    '100',
  );
  await openSale(page, ended);
  await expect(buyButton(page, 'Ended')).toBeDisabled();
  await openSale(page, paused);
  await expect(buyButton(page, 'Paused')).toBeDisabled();
  await openSale(page, members);
  await expect(buyButton(page, 'Not available to you')).toBeDisabled();
  await expect(page.getByText('This sale is for members of a higher level.')).toBeVisible();
  await openSale(page, far);
  await expect(
    page.getByText('You are signed in. We get your place ready shortly before the start.'),
  ).toBeVisible();

  await page.goto('/sales/there-is-no-such-sale');
  await expect(heading(page, "This page isn't here")).toBeVisible();
});

test('[C1 A5] leads to the order that used the limit up elsewhere', async ({ page, context }) => {
  const [shopper, sale] = await Promise.all([newShopper(), newSale()]);
  const orderNo = await buy(shopper, sale.saleId);
  await useSession(context, shopper);
  await openSale(page, sale);
  await buyButton(page, 'Buy now').click();
  await expect(buyLink(page, /^Pay within/)).toHaveAttribute('href', `/orders/${orderNo}`);
});

test('[L4] speaks Chinese, and keeps the page when the language changes', async ({ page, context }) => {
  const [shopper, sale] = await Promise.all([newShopper(), newSale({ priceMinor: 4200 })]);
  await useSession(context, shopper);
  await openSale(page, sale);
  await page.getByRole('link', { name: '中文' }).click();
  await expect(page).toHaveURL(new RegExp(`/zh-CN/sales/${sale.slug}$`));
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(page.getByText('€42.00').first()).toBeVisible();
  await page.getByRole('button', { name: '立即抢购' }).click();
  await page.getByRole('link', { name: /^请在 .* 内付款$/ }).click();
  await expect(page).toHaveURL(/\/zh-CN\/orders\/\d+$/);
  await expect(page.getByRole('main')).not.toContainText(/\b(Pay|Order|Cancel|Receipt)\b/);
});
