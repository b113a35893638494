import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { newSale } from '../support/sales';
import { buyButton, buyLink, signInOnPage, useSession } from '../support/shop';

const HOUR_MS = 3_600_000;

/** Makes a draw that can be entered now and is drawn in so many ms. */
const newDraw = (startsIn: number, totalStock = 1) => {
  const now = Date.now();
  return newSale({
    admission: 'draw',
    waitlist: true,
    totalStock,
    startsAt: now + startsIn,
    endsAt: now + 2 * HOUR_MS,
    entryOpensAt: now - HOUR_MS,
  });
};

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
  const { slug, saleId } = await newDraw(120_000);
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
  await expect(waiting.getByText('You are number 1 in line for items that come back.')).toBeVisible();
  await shot(waiting, 'waiting');

  // Both are told, each once: until when to pay, and the place in line.
  const [lucky, unlucky] = winner === page ? [first, second] : [second, first];
  const told = async ({ client }: typeof first) =>
    (await client.get('/api/notifications')).body.notifications as Record<string, unknown>[];
  await expect
    .poll(() => told(lucky), { timeout: 150_000 })
    .toMatchObject([{ kind: 'draw_won', place: null }]);
  await expect
    .poll(() => told(unlucky), { timeout: 150_000 })
    .toMatchObject([{ kind: 'draw_waiting', place: 1, orderNo: null, saleSlug: slug }]);
  await waiting.goto('/notifications');
  await expect(waiting.getByText('You are number 1 in line for items that come back.')).toBeVisible();
  await shot(waiting, 'notice');
  await waiting.getByRole('link', { name: /^Not drawn, but in line/ }).click();
  await expect(waiting).toHaveURL(new RegExp(`/sales/${slug}$`));
  await expect(buyButton(waiting, "You're in line")).toBeVisible({ timeout: 150_000 });

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

  // Or on the page that checks proofs, which gathers the whole list.
  // It is open where it was opened before the draw.
  if (!(await waiting.locator('details[open]').isVisible()))
    await waiting.getByText('How you can check this draw').click();
  const own = (await waiting.locator('details code').textContent()) ?? '';
  await waiting.getByRole('link', { name: 'Get and check the published list' }).click();
  await expect(async () => {
    await waiting.getByRole('button', { name: 'Get the whole list' }).click();
    await expect(waiting.getByRole('link', { name: 'Save the list as a file' })).toBeVisible({
      timeout: 10_000,
    });
  }).toPass({ timeout: 150_000 });
  const saving = waiting.waitForEvent('download');
  await waiting.getByRole('link', { name: 'Save the list as a file' }).click();
  const list = readFileSync(await (await saving).path(), 'utf8');
  await waiting.getByRole('button', { name: 'Check it' }).click();
  await expect(waiting.getByText('The order is right.')).toBeVisible();
  await waiting.getByLabel('Your name in the list').fill(own);
  await expect(waiting.getByText(/^Number \d, place \d, 1 chance\.$/)).toBeVisible();
  await expectAccessible(waiting, 'a list that is right');
  await shot(waiting, 'proven');
  await waiting.getByLabel('Choose the file').setInputFiles({
    name: 'list.json',
    mimeType: 'application/json',
    buffer: Buffer.from(list.replace(own, 'A'.repeat(43))),
  });
  await expect(waiting.getByText('The list is not the one that the log holds.')).toBeVisible();
  await expectAccessible(waiting, 'a list that was changed');
  await waiting.goto(`/sales/${slug}`);

  // The winner lets it go: it is the other one's, who does nothing for it.
  const buyer = winner === page ? first : second;
  const orders = (await buyer.client.get('/api/orders')).body.orders as { orderNo: string }[];
  expect((await buyer.client.post(`/api/orders/${orders[0]?.orderNo}/cancel`)).status).toBe(200);
  await expect(buyLink(waiting, /^Pay within/)).toBeVisible({ timeout: 150_000 });
  await device.close();
});

test('[M2] whoever is too late for a draw joins its waitlist with one press, leaves, joins again and gets what comes back', async ({
  page,
  context,
}) => {
  test.setTimeout(900_000);
  const [winner, late] = [await newShopper(), await newShopper()];
  const { slug, saleId } = await newDraw(40_000);
  expect((await winner.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await expect
    .poll(async () => (await winner.client.get(`/api/sales/${saleId}/line`)).body.draw, { timeout: 150_000 })
    .toMatchObject({ isFinal: true });
  await page.goto(`/sales/${slug}`);
  await expect(page.getByRole('link', { name: 'Sign in to join the waitlist' })).toBeVisible();
  await useSession(context, late);
  await page.reload();
  const join = page.getByRole('button', { name: 'Join the waitlist' });
  await expectAccessible(page, 'a draw for which it is too late');
  await shot(page, 'late');
  await join.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('You are number 1 in line for items that come back.')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'You are on the waitlist.' })).toHaveCount(1);
  await expectAccessible(page, 'a place on the waitlist of a draw');
  await shot(page, 'late-in');
  // The token of that place buys nothing.
  const { body: entry } = await late.client.post(`/api/sales/${saleId}/entry`);
  expect(entry.entryToken).toEqual(expect.any(String));
  const bought = await late.client.post(`/api/sales/${saleId}/purchase/gate`, undefined, {
    headers: { 'x-entry-token': String(entry.entryToken) },
  });
  expect([bought.status, bought.body.code]).toEqual([409, 'DRAW_ONLY']);

  await page.getByRole('button', { name: 'Leave the line' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the line' }).click();
  await expect(join).toBeVisible();
  await page.goto(`/zh-CN/sales/${slug}`);
  await page.getByRole('button', { name: '加入候补' }).click();
  await expect(page.getByText('您在候补队伍中排第 1 位。')).toBeVisible();
  await shot(page, 'late-in-zh');

  await expect
    .poll(async () => (await winner.client.get('/api/orders')).body.orders, { timeout: 150_000 })
    .toHaveLength(1);
  const [order] = (await winner.client.get('/api/orders')).body.orders as { orderNo: string }[];
  expect((await winner.client.post(`/api/orders/${order?.orderNo}/cancel`)).status).toBe(200);
  await page.getByRole('link', { name: '有一件归您：查看订单' }).click({ timeout: 150_000 });
  await expect(page).toHaveURL(/\/zh-CN\/orders\/\d+/);
});

test('[M4] whoever comes after the close is told so, in Chinese too; staff see the draw', async ({
  page,
  context,
}) => {
  test.setTimeout(900_000);
  const [merchant, shopper] = [await demoMerchant(), await newShopper()];
  const { slug, saleId } = await newDraw(40_000, 5);
  expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await expect
    .poll(async () => (await shopper.client.get(`/api/sales/${saleId}/line`)).body.draw, { timeout: 150_000 })
    .toMatchObject({ isFinal: true });
  const tooLate = await newShopper();
  expect((await tooLate.client.post(`/api/sales/${saleId}/line`)).body.code).toBe('LINE_CLOSED');
  await page.goto(`/zh-CN/sales/${slug}`);
  await expect(page.getByText('抽签在开始时截止')).toBeVisible();
  await expectAccessible(page, 'a draw that is closed, in Chinese');
  await shot(page, 'closed-zh');
  await useSession(context, { client: merchant });
  await page.goto(`/admin/sales/${saleId}`);
  await expect(page.getByRole('heading', { name: 'The draw', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Chances' })).toBeVisible();
  await expectAccessible(page, 'a draw in the admin area');
  await shot(page, 'admin');
});
