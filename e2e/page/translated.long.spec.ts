import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { buy, newRoom, newSale, startSoon } from '../support/sales';
import { buyButton, buyLink, heading, useSession } from '../support/shop';
import { translate } from '../support/translator';

type Pair = { translated: Page; expectSame: () => Promise<void> };

/** Opens a page twice, as the browser translates it and as it is: both show the same, whatever comes. */
async function openPair(context: BrowserContext, path: string): Promise<Pair> {
  const plain = await context.newPage();
  const translated = await context.newPage();
  await translate(translated);
  await plain.goto(path);
  await translated.goto(path);
  // Texts that are said aloud once are left out: the other window had no press to tell of.
  const read = async (page: Page) => {
    const main = page.getByRole('main');
    const [[text = ''], aloud] = await Promise.all([
      main.allInnerTexts(),
      main.locator('.sr-only[role=status]').allInnerTexts(),
    ]);
    return text.split('\n').filter((line) => line.trim() !== '' && !aloud.includes(line));
  };
  const errors: string[] = [];
  translated.on('pageerror', ({ message }) => errors.push(message));
  const expectSame = async () => {
    await expect(async () => {
      const [one, other] = await Promise.all([read(translated), read(plain)]);
      expect(one).toEqual(other);
    }).toPass({ timeout: 90_000 });
    expect(await translated.locator('main font').count()).toBeGreaterThan(0);
    expect(errors.filter((message) => !/#418/.test(message))).toEqual([]);
  };
  return { translated, expectSame };
}

test('[M1 A3] a waiting room that the browser translates lets in, sells, and shows what is so', async ({
  context,
}) => {
  const [shopper, rival] = await Promise.all([newShopper(), newShopper()]);
  const { slug, saleId } = await newRoom('waiting_room', { totalStock: 2 });
  await useSession(context, shopper);
  const { translated, expectSame } = await openPair(context, `/sales/${slug}`);
  await expectSame();
  await buyButton(translated, 'Join the line').click();
  await expect(translated.getByText('in the waiting room', { exact: true })).toBeVisible();
  await expectSame();
  expect((await rival.client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await startSoon(saleId);
  await expect(buyButton(translated, 'Buy now')).toBeEnabled({ timeout: 240_000 });
  await expectSame();
  await buyButton(translated, 'Buy now').click();
  const pay = buyLink(translated, /^Pay within/);
  await expect(pay).toBeVisible();
  await expectSame();
  const path = await pay.getAttribute('href');
  await pay.click();
  await expect(heading(translated, /^Pay within/)).toBeVisible();
  const order = await openPair(context, path ?? '');
  await order.expectSame();
  await shopper.client.post(`/api${path}/cancel`);
  await expect(order.translated.getByText('Cancelled').first()).toBeVisible();
  await order.expectSame();
});

test('[M4 A3] a draw that the browser translates tells who wins', async ({ context }) => {
  const shopper = await newShopper();
  const { saleId, slug } = await newRoom('draw', { totalStock: 2 });
  await useSession(context, shopper);
  const { translated, expectSame } = await openPair(context, `/sales/${slug}`);
  await expectSame();
  await buyButton(translated, 'Enter the draw').click();
  await expect(buyButton(translated, 'Leave the draw')).toBeVisible();
  await expectSame();
  await startSoon(saleId);
  await expect(buyLink(translated, /^Pay within/)).toBeVisible({ timeout: 240_000 });
  await expectSame();
});

test('[J5 A3] the live view of a sale that the browser translates shows the figures of now', async ({
  context,
}) => {
  const [buyer, merchant, { saleId }] = await Promise.all([
    newShopper(),
    demoMerchant(),
    newSale({ totalStock: 5 }),
  ]);
  await useSession(context, { client: merchant });
  const { translated, expectSame } = await openPair(context, `/admin/sales/${saleId}`);
  await expectSame();
  await buy(buyer, saleId);
  await expect(translated.locator('dt:has-text("Held") + dd').first()).toHaveText('1');
  await expectSame();
  await translated.getByRole('button', { name: 'Pause' }).click();
  await translated.getByRole('button', { name: 'Yes, do it' }).click();
  await expect(translated.getByRole('button', { name: 'Resume' })).toBeVisible();
  await expectSame();
});
