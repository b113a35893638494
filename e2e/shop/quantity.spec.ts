import { expect, type Locator, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { expectAvailable, newSale } from '../support/sales';
import { buyButton, buyLink, goToPayment, heading, useSession } from '../support/shop';

/** Picks so many with a page that was just opened: before its script has come, the field only looks as if it worked. */
const pick = (quantity: Locator, many: number, button: Locator) =>
  expect(async () => {
    await quantity.fill('1');
    await quantity.fill(String(many));
    await expect(button).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 90_000 });

test('[O2] one press buys several items, one order and one payment; too many are refused with what to do', async ({
  page,
  context,
}) => {
  const [shopper, other, { slug, saleId }] = await Promise.all([
    newShopper(),
    newShopper(),
    newSale({ limitPerUser: 4, totalStock: 5 }),
  ]);
  await useSession(context, shopper);
  await page.goto(`/sales/${slug}`);
  const quantity = page.getByLabel('Quantity (up to 4)');
  await expect(quantity).toHaveValue('1');
  // Before the page's script has come, the button does nothing.
  await expect(async () => {
    if ((await quantity.inputValue()) === '1') await page.getByRole('button', { name: 'One more' }).click();
    await expect(buyButton(page, 'Buy 2 for €84.00')).toBeEnabled({ timeout: 5_000 });
  }).toPass({ timeout: 90_000 });

  // Nonsense changes nothing, and is gone once the shopper goes on.
  for (const nonsense of ['0', '-1', '5', '1.5', '1e9', 'x', '']) {
    await quantity.fill(nonsense);
    await quantity.blur();
    await expect(quantity).toHaveValue('2');
  }
  await expectAccessible(page, 'the quantity');

  await quantity.fill('3');
  await buyButton(page, 'Buy 3 for €126.00').click();
  await goToPayment(page);
  await expect(page.getByRole('button', { name: 'Pay €126.00' })).toBeVisible();
  const { orders } = (await shopper.client.get('/api/orders')).body;
  expect(orders).toMatchObject([{ quantity: 3, amountMinor: 12_600 }]);
  await expectAvailable(saleId, 2);

  // Two are left, and the page of somebody else does not know it yet.
  await context.clearCookies();
  await useSession(context, other);
  await page.route('**/api/sales/*/events', (route) => route.abort());
  await page.route('**/api/sales/*/state*', async (route) => {
    const response = await route.fetch();
    const state = await response.json();
    await route.fulfill({ response, json: { ...state, stock: { ...state.stock, available: 5 } } });
  });
  await page.goto(`/sales/${slug}`);
  await pick(quantity, 3, buyButton(page, 'Buy 3 for €126.00'));
  await buyButton(page, 'Buy 3 for €126.00').click();
  await expect(page.getByText('Fewer items are left than you asked for. Choose fewer.')).toBeVisible();
  await quantity.fill('2');
  await buyButton(page, 'Buy 2 for €84.00').click();
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
  await expectAvailable(saleId, 0);
  // The page may just be asking for the state.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('[O2] whoever has bought some is told when the rest of the limit is smaller than what they ask for', async ({
  page,
  context,
}) => {
  const [shopper, { slug }] = await Promise.all([newShopper(), newSale({ limitPerUser: 3 })]);
  await useSession(context, shopper);
  await page.goto(`/sales/${slug}`);
  await pick(page.getByLabel('Quantity (up to 3)'), 2, buyButton(page, /^Buy 2/));
  await buyButton(page, /^Buy 2/).click();
  await goToPayment(page);
  await page.getByRole('main').getByRole('button', { name: 'Pay €84.00' }).click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
  await page.goto(`/sales/${slug}`);
  await pick(page.getByLabel('Quantity (up to 3)'), 2, buyButton(page, /^Buy 2/));
  await buyButton(page, /^Buy 2/).click();
  await expect(page.getByText(/more than one person may buy. Choose fewer./)).toBeVisible();
  await page.getByRole('button', { name: 'One fewer' }).click();
  await buyButton(page, 'Buy another').click();
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
});
