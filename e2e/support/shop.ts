import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import type { Shopper } from './accounts';

/** Finds the buy button of a sale page, whatever its text; it is a link where there is a page to go to. */
export const buyButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const buyLink = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

/** Gives the browser the shopper's session, as if they had signed in earlier. */
export function useSession(context: BrowserContext, { client }: Pick<Shopper, 'client'>): Promise<void> {
  return context.addCookies(client.browserCookies());
}

/**
 * Waits until the script of the page's form for signing in or registering has come: before that the browser sends the form by
 * itself.
 */
export const formWorks = (page: Page) =>
  expect(page.locator('form[method="post"][novalidate]').first()).toBeAttached();

/** Signs in on the sign-in page that is open. */
export async function signInOnPage(
  page: Page,
  { email, password }: Pick<Shopper, 'email' | 'password'>,
): Promise<void> {
  await formWorks(page);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Buys on a live sale's page and waits until the order awaits payment. */
export async function buyOnPage(page: Page): Promise<void> {
  await buyButton(page, /^(Buy now|Try to buy again)$/).click();
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
}

/** Goes from the sale page to the payment page of the new order. */
export async function goToPayment(page: Page): Promise<void> {
  await buyLink(page, /^Pay within/).click();
  await expect(page.getByRole('heading', { name: 'Sandbox payment' })).toBeVisible();
}

/** Opens the page of the new order, whose address the sale page's link to the payment carries. */
export async function goToOrder(page: Page): Promise<void> {
  await page.goto((await buyLink(page, /^Pay within/).getAttribute('href')) ?? '');
}

/** Finds the admin area's toasts about the last actions. */
export const toasts = (page: Page) => page.getByRole('region', { name: 'What was done (F8)' });

/** Waits until a list of the admin area has a row; loads further pages, for other tests add rows of their own meanwhile. */
export const untilListed = (page: Page, row: Locator) =>
  expect(async () => {
    const more = page.getByRole('button', { name: 'Show more' });
    if ((await row.count()) === 0 && (await more.count()) > 0) await more.click({ timeout: 5_000 });
    await expect(row).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 150_000 });

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
