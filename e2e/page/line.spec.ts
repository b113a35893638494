import { expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { execute } from '../support/database';
import { newRoom, startSoon, stateOf } from '../support/sales';
import { buyButton, buyLink, signInOnPage, toasts, useSession } from '../support/shop';

type Line = { admitted: number; lapsed: number; early: number | null };
const lineOf = (saleId: string) => stateOf(saleId).then(({ line }) => line as Line);

const shot = async (page: Page, name: string) => {
  const dir = process.env.LINE_SHOTS;
  if (!dir) return;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [look, scheme, width] of [
    ['phone-dark', 'dark', 390],
    ['desktop-light', 'light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 844 });
    await page.screenshot({ path: `${dir}/${name}-${look}.png` });
  }
};

test('[M1] people gather, are put in order at the start, let in by turns, and keep their place wherever they are', async ({
  page,
  context,
  browser,
}) => {
  test.setTimeout(900_000);
  const [first, second] = await Promise.all([newShopper(), newShopper()]);
  const { slug, saleId } = await newRoom('waiting_room', { totalStock: 1 });
  await page.goto(`/sales/${slug}`);
  await buyLink(page, 'Sign in to join the line').click();
  await signInOnPage(page, first);
  await buyButton(page, 'Join the line').click();
  await expect(
    page.getByText('You are in. At the start everybody here is put in random order.'),
  ).toBeVisible();
  await expectAccessible(page, 'the waiting room');
  await shot(page, 'gathering');

  // The place belongs to the account: after a reload, in a second tab and on another device.
  await page.reload();
  await expect(page.getByText('in the waiting room', { exact: true })).toBeVisible();
  await context.newPage().then(async (tab) => {
    await tab.goto(`/sales/${slug}`);
    await expect(tab.getByText('in the waiting room', { exact: true })).toBeVisible();
    await tab.close();
  });
  const joined = await second.client.post(`/api/sales/${saleId}/line`);
  expect([joined.status, joined.body.place]).toEqual([201, null]);
  const device = await browser.newContext();
  await useSession(device, second);
  const other = await device.newPage();
  await other.goto(`/sales/${slug}`);
  await expect(other.getByText('in the waiting room', { exact: true })).toBeVisible();

  // The keyboard is on a button that goes when the turn comes.
  for (const one of [page, other]) await one.getByRole('button', { name: 'Leave the line' }).focus();
  await startSoon(saleId);

  // One unit: one of the two is let in, the other is told the place.
  await expect.poll(async () => (await lineOf(saleId)).admitted, { timeout: 240_000 }).toBe(1);
  expect((await lineOf(saleId)).early).toBe(2);
  const { body } = await second.client.get(`/api/sales/${saleId}/line`);
  const [lucky, waiting] = body.place === 0 ? [other, page] : [page, other];
  await expect(buyButton(lucky, 'Buy now')).toBeEnabled();
  await expect(buyButton(lucky, 'Buy now')).toBeFocused();
  await expect(lucky.getByText(/^It is your turn: buy within 0[01]:\d\d\.$/)).toBeVisible();
  await expect(waiting.getByText('In front of you, at most')).toBeVisible();
  await expect(waiting).toHaveTitle(/^0 ahead · /);
  await expectAccessible(waiting, 'the line');
  await shot(waiting, 'waiting');
  await shot(lucky, 'turn');
  await buyButton(lucky, 'Buy now').click();
  await expect(buyLink(lucky, /^Pay within/)).toBeVisible();
  await expect(waiting.getByText(/^Every piece is set aside for somebody just now/)).toBeVisible();

  // The lucky one lets the order go: the unit comes back and the next is let in.
  const buyer = lucky === page ? first : second;
  const orders = await buyer.client.get('/api/orders');
  const [order] = orders.body.orders as { orderNo: string }[];
  expect((await buyer.client.post(`/api/orders/${order?.orderNo}/cancel`)).status).toBe(200);
  await expect(buyButton(waiting, 'Buy now')).toBeEnabled({ timeout: 150_000 });
  await buyButton(waiting, 'Buy now').click();
  await expect(buyLink(waiting, /^Pay within/)).toBeVisible();
  await device.close();
});

test('[M1] who does not act in two minutes gives the place on, and may join again at the back @long', async ({
  page,
  context,
}) => {
  const shopper = await newShopper();
  const { slug, saleId } = await newRoom('waiting_room', { totalStock: 5 });
  expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await startSoon(saleId);
  await expect.poll(async () => (await lineOf(saleId)).admitted, { timeout: 150_000 }).toBe(1);
  await execute(
    `UPDATE lines SET version = version + 1, steps = (SELECT jsonb_agg(jsonb_build_array((s->>0)::bigint - 121000, s->1))
       FROM jsonb_array_elements(steps) s) WHERE sale_id = $1`,
    [saleId],
  );
  await expect.poll(async () => (await lineOf(saleId)).lapsed, { timeout: 150_000 }).toBe(1);
  await useSession(context, shopper);
  await page.goto(`/sales/${slug}`);
  await expect(page.getByText(/^Your turn came and its two minutes are over/)).toBeVisible();
  await expectAccessible(page, 'a turn that is over');
  await shot(page, 'over');
  await buyButton(page, 'Join again at the back').click();
  await expect(buyButton(page, 'Buy now')).toBeEnabled({ timeout: 150_000 });
});

test('[M1] the merchant sees the line, holds it, and takes that back @long', async ({ page, context }) => {
  const [merchant, shopper] = [await demoMerchant(), await newShopper()];
  const { saleId } = await newRoom('waiting_room', { totalStock: 5 });
  expect((await shopper.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await useSession(context, { client: merchant });
  await page.goto(`/admin/sales/${saleId}`);
  await expect(page.getByRole('heading', { name: 'The line', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Hold the line' }).click();
  await expect(toasts(page).getByText('Held. Nobody is let in now.')).toBeVisible();
  // The toast stays while it has the focus, however long the next steps take.
  await page.keyboard.press('F8');
  await expect(page.getByRole('button', { name: 'Let the line go on' })).toBeVisible();
  await expectAccessible(page, 'the line in the admin area');
  await shot(page, 'admin');
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Hold the line' })).toBeVisible();
  await page.getByLabel('Let in per minute at most').fill('0');
  await expect(page.getByText('A whole number from 1 to 1,000,000, or nothing.')).toBeVisible();
  const audit = await merchant.get(`/api/admin/sales/${saleId}/line`);
  expect(audit.body).toMatchObject({ held: false, waiting: 1, joined: 1, version: 3 });
});
