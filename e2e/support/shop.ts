import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { Shopper } from './accounts';

/** The one button of a sale page, whatever it says; a link where there is somewhere to go. */
export const buyButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const buyLink = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

/** Gives the browser the shopper's session, as if signed in earlier. */
export function useSession(context: BrowserContext, { client }: Pick<Shopper, 'client'>): Promise<void> {
  return context.addCookies(client.browserCookies());
}

/** Signs in on the sign-in page the visitor is on. */
export async function signInOnPage(
  page: Page,
  { email, password }: Pick<Shopper, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Buys on a live sale's page and waits until the order is to be paid. */
export async function buyOnPage(page: Page): Promise<void> {
  await buyButton(page, /^(Buy now|Try to buy again)$/).click();
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
}

/** From the sale page to the payment page of the order just bought. */
export async function goToPayment(page: Page): Promise<void> {
  await buyLink(page, /^Pay within/).click();
  await page.getByRole('button', { name: /^Pay €/ }).click();
  await expect(page.getByRole('heading', { name: 'Sandbox payment' })).toBeVisible();
}

/** What the admin area says in passing about what was done just now. */
export const toasts = (page: Page) => page.getByRole('region', { name: 'What was done (F8)' });

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
