import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { buy, newRoom, newSale, startSoon } from '../support/sales';
import { buyButton, buyLink, buyOnPage, heading, useSession } from '../support/shop';

const START = { timeout: 240_000 };
/** More than a browser has connections to a host without HTTP/2. */
const WINDOWS = 8;
const OWN_PLACE = /\/api\/sales\/[^/]+\/line$/;

async function openWindows(context: BrowserContext, path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let count = 0; count < WINDOWS; count += 1) {
    const page = await context.newPage();
    await page.goto(path);
    pages.push(page);
  }
  return pages;
}

async function everyWindow(pages: readonly Page[], look: (page: Page) => Promise<unknown>): Promise<void> {
  for (const page of pages) await look(page);
}
const ends = ([first, ...others]: Page[]): [first: Page, last: Page] => {
  const last = others.at(-1);
  if (!first || !last) throw new Error('no windows');
  return [first, last];
};

for (const [admission, join, leave] of [
  ['waiting_room', 'Join the line', 'Leave the line'],
  ['draw', 'Enter the draw', 'Leave the draw'],
] as const)
  test(`[P7 M1] eight windows of a ${admission} learn what one of them does, and the last one can act`, async ({
    context,
  }) => {
    test.setTimeout(900_000);
    const { saleId, slug } = await newRoom(admission);
    await useSession(context, await newShopper());
    const pages = await openWindows(context, `/sales/${slug}`);
    const [first, last] = ends(pages);
    await everyWindow(pages, (each) => expect(buyButton(each, join)).toBeVisible());
    // No window asks: they are told.
    await context.route(OWN_PLACE, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.fallback(),
    );
    await buyButton(last, join).click();
    await everyWindow(pages, (each) => expect(buyButton(each, leave)).toBeVisible());
    await buyButton(first, leave).click();
    await first.getByRole('alertdialog').getByRole('button', { name: leave }).click();
    await everyWindow(pages, (each) => expect(buyButton(each, join)).toBeVisible());
    await buyButton(first, join).click();
    await everyWindow(pages, (each) => expect(buyButton(each, leave)).toBeVisible());
    await context.unroute(OWN_PLACE);
    await startSoon(saleId);
    if (admission === 'waiting_room') {
      await expect(buyButton(last, 'Buy now')).toBeEnabled(START);
      await buyOnPage(last);
    }
    await everyWindow(pages, (each) => expect(buyLink(each, /^Pay within/)).toBeVisible(START));
    await buyLink(last, /^Pay within/).click();
    await expect(last.getByRole('button', { name: /^Pay €/ })).toBeVisible();
  });

test('[P7] eight windows of an order: the last one pays, and the others learn it', async ({ context }) => {
  const shopper = await newShopper();
  const orderNo = await buy(shopper, (await newSale()).saleId);
  await useSession(context, shopper);
  const pages = await openWindows(context, `/orders/${orderNo}`);
  const [, last] = ends(pages);
  await everyWindow(pages, (each) => expect(each.getByRole('button', { name: /^Pay €/ })).toBeVisible());
  await last.getByRole('button', { name: /^Pay €/ }).click();
  await expect(last.getByRole('heading', { name: 'Sandbox payment' })).toBeVisible();
  await last
    .getByRole('main')
    .getByRole('button', { name: /^Pay €/ })
    .click();
  await everyWindow(pages, (each) => expect(heading(each, "Paid. It's yours!")).toBeVisible());
});
