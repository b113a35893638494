import { expect, test } from '@playwright/test';
import { newShopper, type Shopper } from '../support/accounts';
import { newSale } from '../support/sales';
import { buyButton, buyLink, heading, useSession } from '../support/shop';

test('[C10 L4] in a sale with a queue the page says “Deciding…” and never more, then in or out, also aloud', async ({
  browser,
}) => {
  const { slug, title } = await newSale({ strategy: 'queue', totalStock: 1 });
  const open = async (shopper: Shopper) => {
    const context = await browser.newContext();
    await useSession(context, shopper);
    const page = await context.newPage();
    await page.goto(`/sales/${slug}`);
    await expect(heading(page, title)).toBeVisible();
    await expect(buyButton(page, 'Buy now')).toBeEnabled();
    return page;
  };
  const pages = await Promise.all([await newShopper(), await newShopper()].map(open));
  const [first, second] = pages;
  if (!first || !second) throw new Error('two pages');
  // The first page learns its decision when the time before has been seen.
  let letGo = () => {};
  const isSeen = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await first.route('**/api/orders/*', async (route) => {
    await isSeen;
    // The page may have asked before it was reloaded.
    await route.continue().catch(() => {});
  });
  await buyButton(first, 'Buy now').click();
  await expect(buyButton(first, 'Deciding…')).toBeDisabled();
  await expect(first.getByText(/Not yours yet/)).toBeVisible();
  await expect(first.getByText(/You're in/)).toHaveCount(0);
  await expect(first.getByText('You are in line. You will know in a moment')).toBeAttached();
  await first.reload();
  await expect(buyButton(first, 'Deciding…').or(buyLink(first, /^Pay within/))).toBeVisible();
  letGo();
  await expect(buyLink(first, /^Pay within/)).toBeVisible();

  await expect(buyButton(second, 'Sold out')).toBeDisabled();
  await first.unroute('**/api/orders/*');
  await Promise.all(pages.map((page) => page.context().close()));
});

test('[C10 A6] two press at once for the last piece: one is in, the other is told “sold out” within a second or two', async ({
  browser,
}) => {
  const { slug } = await newSale({ strategy: 'queue', totalStock: 1 });
  const pages = await Promise.all(
    [await newShopper(), await newShopper()].map(async (shopper) => {
      const context = await browser.newContext();
      await useSession(context, shopper);
      const page = await context.newPage();
      await page.goto(`/sales/${slug}`);
      await expect(buyButton(page, 'Buy now')).toBeEnabled();
      return page;
    }),
  );
  // Neither purchase leaves before both are pressed: a busy machine would show one page that all is gone before its press.
  let pressed = 0;
  let letGo = () => {};
  const arePressed = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  for (const page of pages)
    await page.route('**/purchase/**', async (route) => {
      pressed += 1;
      if (pressed === pages.length) letGo();
      await arePressed;
      await route.continue();
    });
  await Promise.all(pages.map((page) => buyButton(page, 'Buy now').click()));
  for (const page of pages) {
    await expect(buyLink(page, /^Pay within/).or(buyButton(page, 'Sold out'))).toBeVisible();
  }
  const isIn = await Promise.all(pages.map((page) => buyLink(page, /^Pay within/).isVisible()));
  expect(isIn.filter(Boolean)).toHaveLength(1);
  await Promise.all(pages.map((page) => page.context().close()));
});
