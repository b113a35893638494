import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { newRoom, startSoon } from '../support/sales';
import { buyButton, buyLink, signInOnPage, useSession } from '../support/shop';

const shot = async (page: Page, name: string) => {
  const dir = process.env.DRAW_SHOTS;
  if (!dir) return;
  for (const [look, colorScheme, width] of [
    ['phone-dark', 'dark', 390],
    ['desktop-light', 'light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 1000 });
    await page.screenshot({ path: `${dir}/${name}-${look}.png` });
  }
};

/** The product's own check, made ready for a browser. */
async function checkForBrowser(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../lib/shuffle/check-order.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'shuffle',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

test('[M4] people enter a draw; one wins and has time to pay, the other waits for what comes back and gets it', async ({
  page,
  browser,
}) => {
  test.setTimeout(900_000);
  const [first, second] = await Promise.all([newShopper(), newShopper()]);
  const { slug, saleId } = await newRoom('draw', { totalStock: 1 });
  await page.goto(`/sales/${slug}`);
  await buyLink(page, 'Sign in to enter the draw').click();
  await signInOnPage(page, first);
  await buyButton(page, 'Enter the draw').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^At the start all are put in random order/)).toBeVisible();
  await page.getByRole('button', { name: 'Leave the draw' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the draw' }).click();
  await buyButton(page, 'Enter the draw').click();
  await expect(page.getByText(/^At the start all are put in random order/)).toBeVisible();
  await page.getByText('How you can check this draw').click();
  await expectAccessible(page, 'a draw that was entered');
  await shot(page, 'in');

  expect((await second.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  expect(await second.client.post(`/api/sales/${saleId}/entry`)).toMatchObject({
    status: 409,
    body: { code: 'DRAW_ONLY' },
  });
  const before = await new Client().get(`/api/sales/${saleId}/line/proof`);
  expect(before.body).toMatchObject({ shuffle: null, entries: [] });
  const device = await browser.newContext();
  await useSession(device, second);
  const other = await device.newPage();
  await other.goto(`/sales/${slug}`);

  await startSoon(saleId);
  const placeOf = async ({ client }: typeof first) =>
    (await client.get(`/api/sales/${saleId}/line`)).body.place as number | null;
  await expect.poll(() => placeOf(second), { timeout: 240_000 }).not.toBeNull();
  const isSecond = ((await placeOf(second)) ?? 0) < ((await placeOf(first)) ?? 0);
  const [winner, waiting] = isSecond ? [other, page] : [page, other];
  await expect(buyLink(winner, /^Pay within/)).toBeVisible({ timeout: 150_000 });
  await expect(winner.getByText('One is yours')).toBeVisible();
  await expect(buyButton(waiting, "You're in line")).toBeVisible({ timeout: 150_000 });
  await expectAccessible(winner, 'a draw that was won');
  await expectAccessible(waiting, 'a draw that was not won');
  await shot(winner, 'won');
  await shot(waiting, 'waiting');

  // Anybody recomputes the order, in the browser, from what is published and from the hash of before.
  const proof = (await new Client().get(`/api/sales/${saleId}/line/proof`)).body;
  const script = await checkForBrowser();
  const check = (given: unknown) =>
    page.evaluate(
      `(() => { ${script}; return shuffle.checkOrder(${JSON.stringify(given)}, '${String(before.body.seedHash)}'); })()`,
    );
  const { shuffle, seedHash, entries } = proof as {
    shuffle: object;
    seedHash: string;
    entries: { place: number }[];
  };
  expect(await check({ ...shuffle, seedHash, entries })).toEqual({ ok: true, entrants: 3 });
  const swapped = entries.map((entry) => ({ ...entry, place: entries.length - 1 - entry.place }));
  expect(await check({ ...shuffle, seedHash, entries: swapped })).toMatchObject({ problem: 'order_changed' });

  // The winner lets it go: it is the other one's, who does nothing for it.
  const buyer = winner === page ? first : second;
  const orders = (await buyer.client.get('/api/orders')).body.orders as { orderNo: string }[];
  expect((await buyer.client.post(`/api/orders/${orders[0]?.orderNo}/cancel`)).status).toBe(200);
  await expect(buyLink(waiting, /^Pay within/)).toBeVisible({ timeout: 150_000 });
  await device.close();
});

test('[M4] whoever comes after the close is told so, in Chinese too; staff see the draw @long', async ({
  page,
  context,
}) => {
  test.setTimeout(900_000);
  const [merchant, shopper] = [await demoMerchant(), await newShopper()];
  const { slug, saleId } = await newRoom('draw', { totalStock: 5 });
  expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await startSoon(saleId);
  await expect
    .poll(async () => (await shopper.client.get(`/api/sales/${saleId}/line`)).body.draw, { timeout: 150_000 })
    .toMatchObject({ isFinal: true });
  const tooLate = await newShopper();
  expect((await tooLate.client.post(`/api/sales/${saleId}/line`)).body.code).toBe('LINE_CLOSED');
  await page.goto(`/zh-CN/sales/${slug}`);
  await expect(page.getByText('抽签在开始时截止')).toBeVisible();
  await expectAccessible(page, 'a draw that is closed, in Chinese');
  await shot(page, 'closed-zh');
  // One person entered for five units: a shopper who comes later presses once and has one of the rest.
  await useSession(context, tooLate);
  await page.goto(`/sales/${slug}`);
  await buyButton(page, 'Get the next free piece').click();
  await expectAccessible(page, 'a draw whose rest can be had');
  await buyLink(page, 'Open your order').click();
  await expect(page).toHaveURL(/\/orders\/\d+$/);
  await useSession(context, { client: merchant });
  await page.goto(`/admin/sales/${saleId}`);
  await expect(page.getByRole('heading', { name: 'The draw', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Chances' })).toBeVisible();
  await expectAccessible(page, 'a draw in the admin area');
  await shot(page, 'admin');
});
