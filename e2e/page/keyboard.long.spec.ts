import { expect, type Locator, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { ALL_HOLD } from '../support/all-hold';
import type { Client } from '../support/client';
import { putGivenUp } from '../support/dead-letters';
import { expectFocusSeen, pressOn, tabTo } from '../support/keyboard';
import { buy, enter, gateOf, newSale, purchase } from '../support/sales';
import { buyButton, buyLink, heading, useSession } from '../support/shop';

/** The text that screen readers announce by themselves. */
const announced = (page: Page) => page.getByRole('main').getByRole('status');

test('[L4 E1] a purchase from the first page to its payment goes by keyboard alone, and is told as it goes', async ({
  page,
}) => {
  const [shopper, { slug, title }] = await Promise.all([newShopper(), newSale()]);
  const main = page.getByRole('main');
  await page.goto('/');
  // From here on the cards no longer move.
  await expect(main.getByRole('listitem').filter({ hasText: title })).toContainText('Live now');
  await page.keyboard.press('Tab');
  await expectFocusSeen(page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  await pressOn(page, main.getByRole('link', { name: title }));
  await expect(heading(page, title)).toBeVisible();
  await pressOn(page, buyLink(page, 'Sign in to buy'));
  await expect(heading(page, 'Sign in')).toBeVisible();
  await tabTo(page, page.getByLabel('E-mail'));
  await page.keyboard.type(shopper.email);
  await tabTo(page, page.getByLabel('Password'));
  await page.keyboard.type(shopper.password);
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(new RegExp(`/sales/${slug}$`));
  await expect(announced(page)).toHaveAttribute('aria-live', 'polite');
  await pressOn(page, buyButton(page, 'Buy now'), 'Space');
  await expect(announced(page)).toHaveText('You are in. Pay for your order now.');
  // The button has become a link, and the focus is still on it.
  await expectFocusSeen(buyLink(page, /^Pay within/));
  await page.keyboard.press('Enter');
  await expect(heading(page, /^Pay within/)).toBeVisible();
  await pressOn(page, main.getByRole('button', { name: 'Pay €42.00' }));
  await expect(heading(page, 'Sandbox payment')).toBeVisible();
  await pressOn(page, main.getByRole('button', { name: 'Pay €42.00' }));
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
});

test('[L4] whoever was too late is told so without asking', async ({ page, context }) => {
  const [shopper, faster, { slug, saleId }] = await Promise.all([
    newShopper(),
    newShopper(),
    newSale({ totalStock: 1 }),
  ]);
  await useSession(context, shopper);
  await page.goto(`/sales/${slug}`);
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  await page.emulateMedia({ forcedColors: 'active' });
  const look = (one: Locator) =>
    one.evaluate((element) => {
      const { color, backgroundColor, borderTopWidth } = getComputedStyle(element);
      return { color, backgroundColor, borderTopWidth };
    });
  const works = await look(buyButton(page, 'Buy now'));
  await buy(faster, saleId);
  await expect(announced(page)).toHaveText('The sale is sold out.');
  // With the reader's own colours, too, a button that works looks different, and the bar is there.
  const off = await look(buyButton(page, 'Sold out'));
  expect(off.color).not.toBe(works.color);
  expect(off.backgroundColor).not.toBe(works.backgroundColor);
  const bar = page.getByRole('progressbar', { name: 'Share of the stock that is claimed' });
  const [edge, fill] = [await look(bar), await look(bar.locator('div'))];
  expect(edge.borderTopWidth).toBe('1px');
  expect(fill.backgroundColor).not.toBe(edge.backgroundColor);
});

test('[L4 C5] a merchant finds, pauses and resumes a sale by keyboard alone; the focus goes into the question and back', async ({
  page,
  context,
}) => {
  const [merchant, { title }] = await Promise.all([demoMerchant(), newSale()]);
  await useSession(context, { client: merchant });
  await page.goto('/');
  await pressOn(page, page.getByRole('banner').getByRole('link', { name: 'Admin' }));
  await expect(heading(page, 'Sales')).toBeVisible();
  await tabTo(page, page.getByRole('search').getByRole('searchbox'));
  await page.keyboard.type(title);
  await pressOn(page, page.getByRole('main').getByRole('link', { name: title }));
  await expect(heading(page, title)).toBeVisible();

  const action = (name: string) => page.getByRole('button', { name, exact: true });
  const question = page.getByRole('alertdialog');
  const no = question.getByRole('button', { name: 'No, leave it' });
  const yes = question.getByRole('button', { name: 'Yes, do it' });
  await pressOn(page, action('Pause'));
  // The harmless answer has the focus, which can't get lost behind the dialog.
  await expectFocusSeen(no);
  await page.keyboard.press('Tab');
  await expectFocusSeen(yes);
  await page.keyboard.press('Tab');
  await expectFocusSeen(no);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expectFocusSeen(action('Pause'));

  await page.keyboard.press('Space');
  await expectFocusSeen(no);
  await page.keyboard.press('Shift+Tab');
  await expectFocusSeen(yes);
  await page.keyboard.press('Enter');
  // The button that opened the dialog is gone; its opposite has taken its place and the focus.
  await expectFocusSeen(action('Resume'));
  // The live view may show the pause before its answer is there; until then the button ignores presses.
  await expect(action('Resume')).not.toHaveAttribute('data-busy');
  await page.keyboard.press('Enter');
  await expectFocusSeen(no);
  await tabTo(page, yes);
  await page.keyboard.press('Enter');
  await expectFocusSeen(action('Pause'));

  await tabTo(page, action('End the sale'));
  await tabTo(page, action('Change stock'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Change stock' });
  await expectFocusSeen(form.getByLabel('Pieces to add'));
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await expectFocusSeen(action('Change stock'));
});

test('[L4 E6] a button keeps the focus while its deed is under way; then the focus goes to what is next, or to the heading', async ({
  page,
  context,
}) => {
  const [shopper, merchant, { saleId }] = await Promise.all([newShopper(), demoMerchant(), newSale()]);
  const orderNo = await buy(shopper, saleId);
  await putGivenUp({ saleId, orderNo: '1024' });
  await putGivenUp({ saleId, orderNo });
  await useSession(context, { client: merchant });
  await page.goto(`/admin/queues?saleId=${saleId}`);
  const list = page.getByRole('region', { name: 'Dead letters' });
  const letters = list.getByRole('listitem');
  await expect(letters).toHaveCount(2, { timeout: 150_000 });
  const [first, second] = [
    letters.filter({ hasText: `"orderNo": "${orderNo}"` }),
    letters.filter({ hasText: '"orderNo": "1024"' }),
  ];

  let requests = 0;
  let answer = () => {};
  const pressedTwice = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/admin/dead-letters/*/retry', async (route) => {
    requests += 1;
    await pressedTwice;
    await route.continue();
  });
  const again = first.getByRole('button', { name: 'Try again' });
  await pressOn(page, again);
  await expect(again).toBeDisabled();
  await expectFocusSeen(again);
  await page.keyboard.press('Enter');
  answer();
  await expect(first).toHaveCount(0);
  expect(requests).toBe(1);
  await expectFocusSeen(second);

  await tabTo(page, second.getByLabel('Reason'));
  await page.keyboard.type('a test order');
  await pressOn(page, second.getByRole('button', { name: 'Close without it' }));
  await expect(list.getByText('Nothing has been given up.')).toBeVisible();
  await expectFocusSeen(list.getByRole('heading', { name: 'Dead letters' }));
});

test('[L4 L3] whoever cancels an order by keyboard is taken to its name, and whoever ends a sale to the one action that is left', async ({
  page,
  context,
}) => {
  const [merchant, shopper, { saleId }] = await Promise.all([demoMerchant(), newShopper(), newSale()]);
  const orderNo = await buy(shopper, saleId);
  await useSession(context, { client: merchant });
  const sayYes = (name: string) => pressOn(page, page.getByRole('alertdialog').getByRole('button', { name }));

  await page.goto(`/admin/orders/${orderNo}`);
  await tabTo(page, page.getByLabel('Reason'));
  await page.keyboard.type('made by mistake');
  await pressOn(page, page.getByRole('button', { name: 'Cancel the order' }));
  await sayYes('Yes, cancel it');
  await expect(page.getByText('Cancelled in the admin area.')).toBeVisible();
  await expectFocusSeen(heading(page, `Order ${orderNo}`));

  await page.goto(`/admin/sales/${saleId}`);
  await pressOn(page, page.getByRole('button', { name: 'End the sale' }));
  await sayYes('Yes, do it');
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
  await expectFocusSeen(page.getByRole('link', { name: 'Copy', exact: true }));
});

/** Makes the page record which animations start. */
const watchMotion = (page: Page) =>
  page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    for (const type of ['transitionrun', 'animationstart'])
      document.addEventListener(type, ({ target }) => moved.push(`${type} ${(target as Element).className}`));
  });

/** Returns the animations that have started since the page opened, and those running now. */
const motionOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    ...(window as unknown as { moved: string[] }).moved,
    ...document.getAnimations().map(({ playState }) => playState),
  ]);

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  const name =
    reducedMotion === 'reduce'
      ? '[L4] nothing moves for those who asked for that, neither in the shop nor in the admin area'
      : '[L4] for others bars are seen to fill';
  test(name, async ({ browser }) => {
    const [shopper, merchant, buyer, sale] = await Promise.all([
      newShopper(),
      demoMerchant(),
      newShopper(),
      newSale({ totalStock: 2 }),
    ]);
    const [token, gate] = [await enter(buyer, sale.saleId), await gateOf(sale.saleId)];
    const open = async (client: Client, path: string) => {
      const context = await browser.newContext({ reducedMotion });
      await useSession(context, { client });
      const page = await context.newPage();
      await watchMotion(page);
      await page.goto(path);
      return page;
    };
    const [shop, admin] = await Promise.all([
      open(shopper.client, `/sales/${sale.slug}`),
      open(merchant, `/admin/sales/${sale.saleId}`),
    ]);
    await expect(buyButton(shop, 'Buy now')).toBeEnabled();
    await expect(admin.getByText(ALL_HOLD)).toBeVisible({ timeout: 150_000 });

    expect((await purchase(sale.saleId, gate, token)).status).toBe(202);
    await expect(shop.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
    await expect(admin.locator('dt:has-text("Held") + dd').first()).toHaveText('1');
    await buyButton(shop, 'Buy now').hover();
    await admin.getByRole('button', { name: 'Pause' }).click();
    await expect(admin.getByRole('alertdialog')).toBeVisible();
    for (const page of [shop, admin]) {
      const motion = expect.poll(() => motionOf(page));
      await (reducedMotion === 'reduce' ? motion.toEqual([]) : motion.not.toEqual([]));
    }
    await Promise.all([shop.context().close(), admin.context().close()]);
  });
}
