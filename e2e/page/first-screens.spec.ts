import { expect, type Page, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { buy, newSale } from '../support/sales';
import { buyButton, buyLink } from '../support/shop';

const PHONES = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
];
const HOUR_MS = 3_600_000;

/** Where the focused element ends, and where the bar of the button begins, in pixels of the window. */
const focusAndBar = (page: Page) =>
  page.evaluate(() => ({
    focusEnds: document.activeElement?.getBoundingClientRect().bottom ?? Number.NaN,
    barBegins: document.querySelector('.buy-bar')?.getBoundingClientRect().top ?? Number.NaN,
  }));

for (const viewport of PHONES) {
  test(`[O11] the buy button is on the first screen of ${viewport.width} × ${viewport.height}, and covers nothing`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    const { slug } = await newSale();
    await page.goto(`/sales/${slug}`);
    const button = buyLink(page, 'Sign in to buy');
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect(button).toHaveCount(1);
    const footer = page.getByRole('contentinfo').getByRole('paragraph');
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(footer).toBeInViewport({ ratio: 1 });
    await expect(button).toBeInViewport({ ratio: 1 });
    const end = await footer.evaluate((text) => text.getBoundingClientRect().bottom);
    expect(end).toBeLessThanOrEqual((await focusAndBar(page)).barBegins);
    // A keyboard's way back up and down: what has the focus is never under the bar.
    await page.evaluate(() => window.scrollTo(0, 0));
    const main = page.getByRole('main');
    await main.evaluate((element) => {
      const last = document.createElement('button');
      last.textContent = 'A control at the end';
      element.append(last);
    });
    await main.getByRole('button', { name: 'A control at the end' }).focus();
    const { focusEnds, barBegins } = await focusAndBar(page);
    expect(focusEnds).toBeLessThanOrEqual(barBegins);
  });
}

test('[O11] on a wide window the button stands in its card', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { slug } = await newSale();
  await page.goto(`/sales/${slug}`);
  await expect(buyLink(page, 'Sign in to buy')).toBeInViewport({ ratio: 1 });
  expect(await page.locator('.buy-bar').evaluate((bar) => getComputedStyle(bar).position)).toBe('static');
});

test('[O11] a sold-out sale counts nothing down and leads on to the others', async ({ page }) => {
  const [shopper, { saleId, slug }] = await Promise.all([newShopper(), newSale({ totalStock: 1 })]);
  await buy(shopper, saleId);
  await page.goto(`/sales/${slug}`);
  await expect(buyButton(page, 'Sold out')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveCount(0);
  await page.getByRole('link', { name: 'See other sales' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('[O11] the home page leads with what starts next and counts down to it', async ({ page }) => {
  // Other tests' sales may start before this one: whichever is next leads.
  const startsAt = Date.now() + HOUR_MS;
  await Promise.all([newSale({ startsAt, endsAt: startsAt + HOUR_MS }), newSale()]);
  await expect(async () => {
    await page.goto('/');
    await expect(page.getByText(/^(Up next|Live now)$/).first()).toBeVisible();
    await expect(page.getByRole('timer')).toHaveCount(1, { timeout: 5_000 });
  }).toPass();
  await expect(page.getByRole('timer')).toContainText(/\d\d\s*seconds/i);
  await expect(page.getByText(/^0% claimed$/)).toHaveCount(0);
  await expectAccessible(page, 'the home page with what starts next');
});
