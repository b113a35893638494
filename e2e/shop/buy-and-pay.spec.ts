import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { leadMs } from '../support/lead-time';
import { newSale, startSoon } from '../support/sales';
import {
  buyButton,
  buyLink,
  buyOnPage,
  goToPayment,
  heading,
  signInOnPage,
  useSession,
} from '../support/shop';

test('[A3 A4 E1 I4 I6 L4] waits for the start, buys, is declined, pays, and has paid @desktop', async ({
  page,
}) => {
  const shopper = await newShopper();
  const { saleId, slug, title } = await newSale({ startsAt: Date.now() + 9 * 60_000, priceMinor: 4200 });

  await page.goto(`/sales/${slug}`);
  await expect(heading(page, title)).toBeVisible();
  await expect(buyButton(page, /^Starts in \d\d:\d\d$/)).toBeDisabled();
  await page.getByRole('link', { name: 'Sign in now' }).click();
  await signInOnPage(page, shopper);

  await expect(page).toHaveURL(new RegExp(`/sales/${slug}$`));
  await expect(page.getByText('You are ready.')).toBeVisible();
  await expect(buyButton(page, /^Starts in/)).toBeDisabled();
  await startSoon(saleId);
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  await buyOnPage(page);

  await goToPayment(page);
  await expect(page.getByText('€42.00').first()).toBeVisible();
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(heading(page, /^Pay within 1[0-4]:\d\d$/)).toBeVisible();
  await page.getByRole('button', { name: 'Pay €42.00' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Pay €42.00' }).click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible();

  await page.getByRole('link', { name: 'All my orders' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: title })).toContainText('Paid');
  await page.goto(`/sales/${slug}`);
  await expect(buyLink(page, 'See your order')).toBeVisible();
});

test('[C7 E7 A5] who does not pay in time loses the piece, and somebody else gets it', async ({
  browser,
  page,
}) => {
  const [unpaying, waiting] = await Promise.all([newShopper(), newShopper()]);
  const paymentWindowSec = Math.ceil((await leadMs(page, 20_000)) / 1_000);
  const { slug } = await newSale({ totalStock: 1, paymentWindowSec });
  const open = async (shopper: typeof waiting) => {
    const context = await browser.newContext();
    await useSession(context, shopper);
    const page = await context.newPage();
    await page.goto(`/sales/${slug}`);
    return page;
  };
  const [first, second] = await Promise.all([open(unpaying), open(waiting)]);
  await buyOnPage(first);
  await expect(buyButton(second, 'Sold out')).toBeDisabled();
  await expect(second.getByText('Unpaid pieces come back, and this button opens if they do.')).toBeVisible();

  await buyLink(first, /^Pay within/).click();
  await expect(heading(first, /^Pay within \d\d:\d\d$/)).toBeVisible();
  // From here on the test reloads no page.
  await expect(heading(first, 'The time to pay ran out')).toBeVisible({ timeout: 240_000 });
  await expect(first.getByText('You owe nothing.')).toBeVisible();
  await expect(first.getByRole('button', { name: /^Pay/ })).toBeHidden();

  await expect(buyButton(second, 'Buy now')).toBeEnabled({ timeout: 180_000 });
  await buyOnPage(second);
  await goToPayment(second);
  await second.getByRole('main').getByRole('button', { name: 'Pay €42.00' }).click();
  await expect(heading(second, "Paid. It's yours!")).toBeVisible();
  await first.goto(`/sales/${slug}`);
  await expect(buyButton(first, 'Sold out')).toBeDisabled();
  await Promise.all([first.context().close(), second.context().close()]);
});
