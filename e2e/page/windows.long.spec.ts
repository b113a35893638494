import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { buy, newRoom, newSale, startSoon } from '../support/sales';
import { buyButton, buyLink, buyOnPage, heading, useSession } from '../support/shop';
import { watchStreams } from '../support/watch-streams';

const START = { timeout: 240_000 };
/** More than a browser has connections to a host without HTTP/2. */
const WINDOWS = 8;
const STATE = /\/api\/sales\/[^/]+\/state$/;
const OWN_PLACE = /\/api\/sales\/[^/]+\/line$/;

/** All of them at one address. */
const eight = (path: string) => Array<string>(WINDOWS).fill(path);

async function openWindows(context: BrowserContext, paths: readonly string[]): Promise<Page[]> {
  const pages: Page[] = [];
  for (const path of paths) {
    const page = await context.newPage();
    await page.goto(path);
    pages.push(page);
  }
  return pages;
}

async function everyWindow(pages: readonly Page[], look: (page: Page) => Promise<unknown>): Promise<void> {
  for (const page of pages) await look(page);
}
const expectButtons = (pages: readonly Page[], name: string) =>
  everyWindow(pages, (each) => expect(buyButton(each, name)).toBeVisible());
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
    const pages = await openWindows(context, eight(`/sales/${slug}`));
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
  const pages = await openWindows(context, eight(`/orders/${orderNo}`));
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

test('[A3 A4] eight windows of a sale share one stream; when its window closes or freezes, another has it', async ({
  context,
}) => {
  await useSession(context, await newShopper());
  const merchant = await demoMerchant();
  const { slug, saleId } = await newSale();
  const streams = watchStreams(context);
  const pages = await openWindows(context, eight(`/sales/${slug}`));
  await expectButtons(pages, 'Buy now');
  await expect.poll(() => streams.leaders().length).toBe(1);
  expect(streams.seen.most).toBe(1);

  // From here on no window asks.
  await context.route(STATE, (route) => route.abort());
  const change = (what: string) => merchant.post(`/api/admin/sales/${saleId}/${what}`);
  await change('pause');
  await expectButtons(pages, 'Paused');

  const [first] = streams.leaders();
  await first?.close();
  const left = pages.filter((page) => page !== first);
  await change('resume');
  await expectButtons(left, 'Buy now');

  // Chromium freezes no page that is visible: this one is told that it will be.
  const [second] = streams.leaders();
  await second?.evaluate(() => document.dispatchEvent(new Event('freeze')));
  await expect.poll(() => streams.leaders().some((page) => page !== second)).toBe(true);
  await change('pause');
  await expectButtons(
    left.filter((page) => page !== second),
    'Paused',
  );
});

test('[A3 A6] in the last of eight windows of sales and of the admin area one can buy', async ({
  context,
}) => {
  const merchant = await demoMerchant();
  await useSession(context, { client: merchant });
  const sales = await Promise.all([newSale(), newSale(), newSale()]);
  const shop = sales.map(({ slug }) => `/sales/${slug}`);
  const admin = sales.slice(0, 2).map(({ saleId }) => `/admin/sales/${saleId}`);
  const streams = watchStreams(context);
  const pages = await openWindows(context, [...admin, ...shop, ...shop]);
  const shoppers = pages.slice(admin.length);
  for (const page of pages.slice(0, admin.length))
    await expect(page.getByText(/^(Live, as|As) of/)).toBeVisible();
  await expectButtons(shoppers, 'Buy now');
  await expect.poll(() => streams.leaders().length).toBe(1);
  expect(streams.seen.most).toBe(1);

  const [last] = shoppers.slice(-1);
  if (!last) throw new Error('no window');
  await buyOnPage(last);
  for (const { saleId } of sales) await merchant.post(`/api/admin/sales/${saleId}/pause`);
  await expectButtons(
    shoppers.filter((_, at) => at % sales.length < sales.length - 1),
    'Paused',
  );
  for (const page of pages.slice(0, admin.length))
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
});
