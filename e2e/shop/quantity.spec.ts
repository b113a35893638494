import { expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper, type Shopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { expectBalanced } from '../support/commands';
import { buy, newSale } from '../support/sales';
import { buyButton, buyLink, buyOnPage, goToPayment, heading, useSession } from '../support/shop';

const amount = (page: Page) => page.getByLabel('How many');
const button = (page: Page, name: 'One more' | 'One fewer') => page.getByRole('button', { name });

const openSale = async (page: Page, slug: string, shopper: Shopper) => {
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
};

test('[O2 A5] a shopper buys three at once: one order, one payment; a reload keeps the number', async ({
  page,
}) => {
  const shopper = await newShopper();
  const { slug, saleId } = await newSale({ totalStock: 9, limitPerUser: 4, priceMinor: 1250 });
  await openSale(page, slug, shopper);
  await expect(button(page, 'One fewer')).toBeDisabled();
  await button(page, 'One more').click();
  await button(page, 'One more').click();
  await expect(page.getByText('€37.50 in all')).toBeVisible();
  await expectAccessible(page, 'a sale of several units');
  await page.reload();
  await expect(amount(page)).toHaveValue('3');

  // The number stays while the text is none that can be bought.
  for (const text of ['5', '0', '-1', 'x', '2.5', '99999', ''])
    await amount(page)
      .fill(text)
      .then(() => expect(page.getByText('€37.50 in all')).toBeVisible());
  await amount(page).fill('4');
  await expect(button(page, 'One more')).toBeDisabled();
  await amount(page).fill('3');
  await amount(page).blur();

  await buyOnPage(page);
  await expect(amount(page)).toBeHidden();
  const orders = (await shopper.client.get('/api/orders')).body.orders as object[];
  expect(orders).toMatchObject([{ saleId, quantity: 3, amountMinor: 3750 }]);
  await goToPayment(page);
  await page.getByRole('button', { name: 'Pay €37.50' }).click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
  await expectBalanced(saleId);
});

test('[O2 C5] pieces that are added while the page is open can be chosen without loading it again', async ({
  page,
}) => {
  const [merchant, shopper, { slug, saleId }] = await Promise.all([
    demoMerchant(),
    newShopper(),
    newSale({ totalStock: 1, limitPerUser: 4 }),
  ]);
  await openSale(page, slug, shopper);
  await expect(amount(page)).toBeHidden();
  const change = { delta: 8, reason: 'found some more' };
  const added = await merchant.post(`/api/admin/sales/${saleId}/stock`, change);
  expect(added.status, added.text).toBe(200);
  await amount(page).fill('4');
  await buyOnPage(page);
  const orders = (await shopper.client.get('/api/orders')).body.orders as object[];
  expect(orders).toMatchObject([{ saleId, quantity: 4 }]);
});

test('[O2 P6] who asks for more than are left is offered those, and gets them with another press', async ({
  page,
}) => {
  const { slug, saleId } = await newSale({ totalStock: 3, limitPerUser: 3, clickLockSec: 1 });
  const shopper = await newShopper();
  await openSale(page, slug, shopper);
  await amount(page).fill('3');
  await buy(await newShopper(), saleId);
  await buyButton(page, 'Buy now').click();
  await expect(page.getByText('Only 2 pieces are left. Press again to take them.')).toBeVisible();
  await expect(amount(page)).toHaveValue('2');
  await buyOnPage(page);
  const orders = (await shopper.client.get('/api/orders')).body.orders as object[];
  expect(orders).toMatchObject([{ saleId, quantity: 2 }]);
});

test('[O2 C6] who has one of three and asks for three more is told so, and may have two', async ({
  page,
}) => {
  const { slug, saleId } = await newSale({ totalStock: 9, limitPerUser: 3, clickLockSec: 1 });
  const shopper = await newShopper();
  await openSale(page, slug, shopper);
  await buyOnPage(page);
  await goToPayment(page);
  await page.getByRole('button', { name: /^Pay €/ }).click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
  await page.goto(`/sales/${slug}`);
  await expect(buyButton(page, 'Buy another')).toBeEnabled();
  await amount(page).fill('3');
  await buyButton(page, 'Buy another').click();
  await expect(page.getByText(/^With what you have, that is more than one person may buy\./)).toBeVisible();
  await expect(amount(page)).toHaveValue('1');
  await amount(page).fill('2');
  await buyButton(page, 'Buy another').click();
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
  await expectBalanced(saleId);
});
