import { expect, type Page, type Route, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { buy, newSale } from '../support/sales';
import { buyButton, buyLink, buyOnPage, heading, useSession } from '../support/shop';

/*
 * Tests how the pages react to the server's answers while something behind it fails.
 * lib/server/shopper-in-faults.timed.integration.test.ts shows with real servers and real failures which answers those are.
 */

const PURCHASE = '**/api/sales/*/purchase/*';
const ORDER = /\/api\/orders\/\d+$/;

/** Answers as the server does, `Retry-After` included. */
const askAgain = (code: string) => (route: Route) =>
  route.fulfill({
    status: 503,
    contentType: 'application/problem+json',
    headers: { 'retry-after': '1', 'cache-control': 'no-store' },
    body: JSON.stringify({
      type: `urn:seckill:problem:${code.toLowerCase()}`,
      title: 'Not now',
      status: 503,
      code,
      detail: 'Not now',
      requestId: 'test',
      retryAfterMs: 1000,
    }),
  });

async function useOpenSale(page: Page): Promise<void> {
  const [shopper, { slug }] = await Promise.all([newShopper(), newSale()]);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${slug}`);
}

test('[J4 A6] Redis down: the page says that it tries again, keeps the place, and buys when Redis is back', async ({
  page,
}) => {
  await page.route(PURCHASE, askAgain('STOCK_UNAVAILABLE'));
  await useOpenSale(page);
  await buyButton(page, 'Buy now').click();
  await expect(page.getByText('We try again by ourselves, your place is kept.').first()).toBeVisible();
  await expect(buyButton(page, /^(Sending…|Trying again in \d+ s)$/)).toBeDisabled();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect(buyLink(page, /^Pay within/)).toBeVisible({ timeout: 150_000 });
});

test('[J4 E1] Postgres down: the order page says that the order is being written, and goes on by itself', async ({
  page,
}) => {
  await useOpenSale(page);
  await buyOnPage(page);
  // Shows the order as not written yet, as it is while only Redis knows it.
  await page.route(ORDER, async (route) => {
    const response = await route.fetch();
    const order = await response.json();
    const queued = { status: 'queued', payBy: null, createdAt: null, provider: null, version: 0 };
    await route.fulfill({ response, json: { ...order, ...queued } });
  });
  await page.goto((await buyLink(page, /^Pay within/).getAttribute('href')) ?? '');
  await expect(heading(page, "You're in!")).toBeVisible();
  await expect(page.getByText('Your piece is set aside. We are writing your order;')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect(heading(page, /^Pay within/)).toBeVisible({ timeout: 150_000 });
});

test('[J4 E1] Redis being rebuilt: an order page says that it tries again, never that there is no such order', async ({
  page,
}) => {
  const stale = page.getByText("We couldn't reach the shop;").first();
  await useOpenSale(page);
  await buyOnPage(page);
  const address = (await buyLink(page, /^Pay within/).getAttribute('href')) ?? '';
  await page.route(ORDER, askAgain('UNAVAILABLE'));
  await page.goto(address);
  await expect(stale).toBeVisible();
  await expect(heading(page, 'Your order')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect(heading(page, /^Pay within/)).toBeVisible({ timeout: 150_000 });
  await expect(stale).toBeHidden();
  // The page keeps showing the order while the shop is away.
  await page.route(ORDER, askAgain('UNAVAILABLE'));
  await expect(stale).toBeVisible({ timeout: 150_000 });
  await expect(heading(page, /^Pay within/)).toBeVisible();
});

test('[I4 A6] who comes back from the way to pay to the page as the browser kept it can pay, or cancel', async ({
  page,
}) => {
  await useOpenSale(page);
  await buyOnPage(page);
  // An answer without a page: the browser stays where it is, as if it had gone and come back.
  await page.route('**/pay/sandbox/**', (route) => route.fulfill({ status: 204 }));
  await page.goto((await buyLink(page, /^Pay within/).getAttribute('href')) ?? '');
  const left = page.waitForResponse((answer) => answer.status() === 204);
  await page.getByRole('button', { name: /^Pay €/ }).click();
  await left;
  const leaving = page.getByRole('button', { name: 'Taking you to the payment…' });
  await expect(leaving).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(leaving).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cancel the order' })).toBeEnabled();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: /^Pay €/ }).click();
  await expect(page).toHaveURL(/\/pay\/sandbox\//);
});

test('[C5 F2] the admin area: whoever gets no answer to a change of stock and presses again has changed it once', async ({
  page,
}) => {
  const [merchant, { saleId }] = await Promise.all([demoMerchant(), newSale({ totalStock: 10 })]);
  await useSession(page.context(), { client: merchant });
  let lost = 0;
  await page.route('**/api/admin/sales/*/stock', async (route) => {
    const answer = await route.fetch();
    if (lost > 0) return route.fulfill({ response: answer });
    expect(answer.status()).toBe(200);
    lost += 1;
    return route.abort('connectionreset');
  });
  await page.goto(`/admin/sales/${saleId}`);
  await page.getByRole('button', { name: 'Change stock' }).click();
  await page.getByLabel('Pieces to add').fill('4');
  await page.getByLabel('Reason').fill('found some more');
  const press = async () => {
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  };
  await press();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await press();
  await expect(page.getByText('4 pieces added; 14 in all now.').first()).toBeVisible();
  const { body } = await merchant.get(`/api/admin/sales/${saleId}/live`);
  expect(body.stock).toMatchObject({ total: 14, available: 14 });
});

test('[M7 C5] units that are gone are not taken away: the form says so, and so does the shop of one bought at this moment', async ({
  page,
}) => {
  const [merchant, shopper, { saleId }] = await Promise.all([
    demoMerchant(),
    newShopper(),
    newSale({ totalStock: 3 }),
  ]);
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/sales/${saleId}`);
  await page.getByRole('button', { name: 'Change stock' }).click();
  const form = page.getByRole('dialog', { name: 'Change stock' });
  const [delta, apply] = [form.getByLabel('Pieces to add'), form.getByRole('button', { name: 'Apply' })];
  await form.getByLabel('Reason').fill('one is broken');
  await delta.fill('-4');
  await expect(delta).toHaveAccessibleDescription(/Only 3 /);
  await expect(apply).toBeDisabled();

  await delta.fill('-3');
  await page.route('**/api/admin/sales/*/stock', async (route) => {
    await buy(shopper, saleId);
    await route.continue();
  });
  await apply.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(form.getByRole('alert')).toContainText(
    "That many pieces can't be taken away: they are bought or set aside already.",
  );
  const { body } = await merchant.get(`/api/admin/sales/${saleId}/live`);
  expect(body.stock).toMatchObject({ total: 3, available: 2 });
});
