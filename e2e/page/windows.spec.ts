import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { newSale } from '../support/sales';
import { buyButton, buyOnPage, useSession } from '../support/shop';
import { watchStreams } from '../support/watch-streams';

/** A browser has six connections to a host without HTTP/2: with eight windows, not one of them may be a window's own. */
const WINDOWS = 8;
const STATE = /\/api\/sales\/[^/]+\/state$/;

async function openWindows(context: BrowserContext, paths: string[]): Promise<Page[]> {
  const pages: Page[] = [];
  for (const path of paths) {
    const page = await context.newPage();
    await page.goto(path);
    pages.push(page);
  }
  return pages;
}

const expectButtons = async (pages: readonly Page[], name: string) => {
  for (const page of pages) await expect(buyButton(page, name)).toBeVisible();
};

test('[A3 A4] eight windows of a sale share one stream; when its window closes or freezes, another has it', async ({
  context,
}) => {
  await useSession(context, await newShopper());
  const merchant = await demoMerchant();
  const { slug, saleId } = await newSale();
  const streams = watchStreams(context);
  const pages = await openWindows(context, Array<string>(WINDOWS).fill(`/sales/${slug}`));
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
