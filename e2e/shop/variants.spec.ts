import { expect, type Locator, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { expectBalanced } from '../support/commands';
import { pressOn, tabTo } from '../support/keyboard';
import { buy, expectState, newProduct, newSale, stateOf } from '../support/sales';
import {
  buyButton,
  buyLink,
  buyOnPage,
  goToPayment,
  heading,
  signInOnPage,
  toasts,
  useSession,
} from '../support/shop';

const picker = (page: Page) => page.getByRole('radiogroup', { name: 'Which one' });
const choice = (page: Page, name: string | RegExp) => picker(page).getByRole('radio', { name });

/** Makes a live sale of a small, a medium and a large piece of something. */
const newSizes = (stocks: [number, number, number], options: Parameters<typeof newSale>[0] = {}) => {
  const names = ['Small', 'Medium', 'Large'];
  return newSale({
    totalStock: stocks.reduce((sum, stock) => sum + stock),
    variants: stocks.map((stock, index) => ({ name: names[index] as string, stock, picture: null })),
    ...options,
  });
};

/** A red square. What follows a picture's end is no part of it, but makes it another file. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWP4z8DwnwGM/zMwAAAf7gP9qS/A4gAAAABJRU5ErkJggg==',
  'base64',
);

/** Makes a product of the demo's merchant with two pictures of its own. @returns its name */
async function newPicturedProduct(): Promise<string> {
  const merchant = await demoMerchant();
  const productId = await newProduct();
  const pictures = [];
  for (const alt of ['The red shirt', 'The blue shirt']) {
    const bytes = Buffer.concat([PNG, Buffer.from(alt + productId)]);
    const { body, status, text } = await merchant.post('/api/admin/media', bytes, {
      headers: { 'content-type': 'image/png' },
    });
    expect(status, text).toBe(200);
    pictures.push({ hash: String(body.hash), alt });
  }
  const name = `T-shirt ${unique()}`;
  const answer = await merchant.request('PATCH', `/api/admin/products/${productId}`, {
    body: { name, pictures, version: 1 },
  });
  expect(answer.status, answer.text).toBe(200);
  return name;
}

/** Fills in one variant of the form. */
async function fillVariant(row: Locator, name: string, stock: number): Promise<void> {
  await row.getByLabel('Name').fill(name);
  await row.getByLabel('Pieces').fill(String(stock));
}

test('[O3 L3] a merchant gives a sale three variants, publishes it, and restocks one of them @long', async ({
  page,
}) => {
  const [product, title] = [await newPicturedProduct(), `Shirts ${unique()}`];
  await page.context().addCookies((await demoMerchant()).browserCookies());
  await page.goto('/admin/sales');
  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByLabel('Product', { exact: true }).selectOption(product);
  await page.getByLabel('Title of the sale').fill(title);
  const next = page.getByRole('button', { name: 'Next' });
  await next.click();
  const row = (number: number) => page.getByRole('group', { name: `Variant ${number}`, exact: true });
  const add = page.getByRole('button', { name: 'Add a variant' });
  await add.click();
  await expect(row(1).getByLabel('Name')).toBeFocused();
  await next.click();
  await expect(row(1).getByLabel('Name')).toHaveAccessibleDescription('This is needed.');
  await fillVariant(row(1), 'Large', 7);
  await add.click();
  await fillVariant(row(2), ' large', 2);
  await row(2).getByRole('radio', { name: 'The blue shirt' }).check();
  await add.click();
  await fillVariant(row(3), 'كبير جدا', 1);
  await next.click();
  await expect(row(2).getByLabel('Name')).toBeFocused();
  await expect(row(2).getByLabel('Name')).toHaveAccessibleDescription('Another variant has this name.');
  await expectAccessible(page, 'the form with three variants');
  await row(2).getByLabel('Name').fill('Medium');
  await row(2).getByRole('button', { name: 'Move Variant 2 earlier' }).click();
  await expect(row(1).getByLabel('Name')).toHaveValue('Medium');
  await expect(page.getByText('10 (the variants together)')).toBeVisible();
  await add.click();
  await row(4).getByRole('button', { name: 'Remove Variant 4' }).click();
  await expect(add).toBeFocused();
  for (let steps = 0; steps < 3; steps += 1) await next.click();
  const preview = page.getByRole('region', { name: 'What shoppers will see' });
  await expect(preview.getByRole('radio')).toHaveCount(3);
  await expect(preview.getByRole('radio').first()).toHaveAccessibleName('Medium');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(heading(page, title)).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(page.getByText('Total 10', { exact: true })).toBeVisible();
  const saleId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect((await stateOf(saleId)).stock).toMatchObject({ total: 10, variants: [2, 7, 1] });

  await page.getByRole('button', { name: 'Change stock' }).click();
  const form = page.getByRole('dialog', { name: 'Change stock' });
  await form.getByLabel('Pieces to add').fill('-8');
  await form.getByLabel('Reason').fill('another box');
  await expect(form.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await form.getByLabel('Variant').selectOption('Large · 7 left');
  await expect(form.getByText('Only 7 can be taken away')).toBeVisible();
  await form.getByLabel('Pieces to add').fill('5');
  await form.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Large: left from 7 to 12.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expectState(saleId, { stock: { total: 15, available: 15, variants: [2, 12, 1] } });
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expectState(saleId, { stock: { total: 10, available: 10, variants: [2, 7, 1] } });
  await expectBalanced(saleId);
});

test('[O3 P8] a shopper without a mouse is asked for a choice, makes it, buys and pays @desktop', async ({
  page,
}) => {
  const [shopper, other, { saleId, slug }] = await Promise.all([
    newShopper(),
    newShopper(),
    newSizes([3, 1, 2]),
  ]);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await expect(choice(page, 'Small 3 left')).toBeVisible();
  await pressOn(page, buyButton(page, 'Buy now'));
  await expect(choice(page, /^Small/)).toBeFocused();
  const asked = 'Choose which one you want, then press the button again.';
  await expect(picker(page)).toHaveAccessibleDescription(asked);
  await expectAccessible(page, 'a sale that asks for a choice');
  await page.keyboard.press('ArrowDown');
  await expect(choice(page, /^Medium/)).toBeChecked();
  await expect(page.getByText(asked)).toBeHidden();
  await page.reload();
  await expect(choice(page, /^Medium/)).toBeChecked();

  await buy(other, saleId, 1, 2);
  await expect(page.getByText('Medium is sold out. Choose another.')).toBeVisible();
  await expect(choice(page, 'Medium sold out')).not.toBeChecked();
  await expect(choice(page, 'Medium sold out')).toBeDisabled();
  await expectAccessible(page, 'a sale whose chosen variant is sold out');
  await tabTo(page, choice(page, /^Small/));
  // The sold-out one can be heard of, and not chosen.
  await page.keyboard.press('ArrowDown');
  await expect(choice(page, /^Medium/)).toBeFocused();
  await expect(choice(page, /^Medium/)).not.toBeChecked();
  await page.keyboard.press('ArrowDown');
  await expect(choice(page, /^Large/)).toBeChecked();
  await pressOn(page, buyButton(page, 'Buy now'));
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
  await expect(picker(page)).toBeHidden();
  expect((await stateOf(saleId)).stock).toMatchObject({ available: 4, variants: [3, 0, 1] });

  await goToPayment(page);
  await page.getByRole('main').getByRole('button', { name: 'Pay €42.00' }).click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('VariantLarge');
  await page.getByRole('link', { name: 'All my orders' }).click();
  await expect(heading(page, 'My orders')).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('(Large)');
  await page.goto('/notifications');
  await expect(page.getByRole('link', { name: /^Paid: Test sale \w+ \(Large\)$/ })).toBeVisible();
  await expectBalanced(saleId);
});

test('[O3 O2] the number to buy is bounded by what is left of the chosen variant, and a refusal names the way on', async ({
  page,
}) => {
  const [shopper, { slug }] = await Promise.all([
    newShopper(),
    newSizes([1, 4, 5], { limitPerUser: 3, clickLockSec: 1 }),
  ]);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  const amount = page.getByLabel('How many');
  await choice(page, /^Large/).check();
  await amount.fill('3');
  await choice(page, /^Small/).check();
  await expect(amount).toHaveValue('1');
  await expect(page.getByRole('button', { name: 'One more' })).toBeDisabled();
  await choice(page, /^Medium/).check();
  const refusal = { type: 'about:blank', title: 'x', status: 409, detail: 'x', requestId: 'x' };
  await page.route('**/api/sales/*/purchase/*', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({ ...refusal, code: 'SOLD_OUT', available: 0 }),
    }),
  );
  await buyButton(page, 'Buy now').click();
  await expect(page.getByText('This one is gone; others are left. Choose another.')).toBeVisible();
  await page.unroute('**/api/sales/*/purchase/*');
  await choice(page, /^Large/).check();
  await amount.fill('2');
  await buyOnPage(page);
  expect((await shopper.client.get('/api/orders')).body.orders).toMatchObject([
    { quantity: 2, variant: 3, variantName: 'Large' },
  ]);
});

test('[O3] a sale with one variant needs no choice', async ({ page }) => {
  const [shopper, { slug }] = await Promise.all([
    newShopper(),
    newSale({ totalStock: 2, variants: [{ name: 'One size', stock: 2, picture: null }] }),
  ]);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
  await expect(choice(page, 'One size 2 left')).toBeChecked();
  await buyOnPage(page);
});

test('[O3 A4] a choice that was made before signing in is still made after it', async ({ page }) => {
  const [shopper, { slug }] = await Promise.all([newShopper(), newSizes([2, 2, 2])]);
  await page.goto(`/sales/${slug}`);
  await choice(page, /^Medium/).check();
  await buyLink(page, 'Sign in to buy').click();
  await signInOnPage(page, shopper);
  await expect(choice(page, /^Medium/)).toBeChecked();
  await buyOnPage(page);
  expect((await shopper.client.get('/api/orders')).body.orders).toMatchObject([{ variantName: 'Medium' }]);
});
