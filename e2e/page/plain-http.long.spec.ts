import { expect, type Page, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { newRoom, newSale, startSoon } from '../support/sales';
import { buyButton, buyLink, buyOnPage, formWorks, heading, signInOnPage } from '../support/shop';

const START = { timeout: 240_000 };

/* A phone in the same network opens the shop by the machine's address. Its browser has no Web Crypto there. */
const NAME = 'shop.test';
test.use({
  baseURL: baseUrl.replace(/\/\/[^:]+/, `//${NAME}`),
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
    }),
});

async function signIn(page: Page): Promise<void> {
  await page.goto('/signin');
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto])).toEqual([false, false]);
  await signInOnPage(page, await newShopper());
  await expect(page).not.toHaveURL(/signin/);
}

test('[P7 G4] over plain http one registers, does the proof of work, buys and pays', async ({ page }) => {
  const { slug } = await newSale({ challenge: 'pow' });
  await page.goto(`/register?callbackUrl=/sales/${slug}`);
  await formWorks(page);
  await page.getByLabel('Name', { exact: true }).fill('Ann');
  await page.getByLabel('E-mail').fill(`e2e-plain-${Date.now()}@example.com`);
  await page.getByLabel('Password').fill('a long password 9');
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(`**/sales/${slug}`);
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  await buyOnPage(page);
  await buyLink(page, /^Pay within/).click();
  await page.getByRole('button', { name: /^Pay €/ }).click();
  await expect(page.getByRole('heading', { name: 'Sandbox payment' })).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Pay €/ })
    .click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();
});

for (const [admission, join, leave] of [
  ['waiting_room', 'Join the line', 'Leave the line'],
  ['draw', 'Enter the draw', 'Leave the draw'],
] as const)
  test(`[P7 M1] over plain http one has a place in a ${admission}, and the unit`, async ({ page }) => {
    await signIn(page);
    const { saleId, slug } = await newRoom(admission, { totalStock: 2 });
    await page.goto(`/sales/${slug}`);
    await buyButton(page, join).click();
    await expect(buyButton(page, leave)).toBeVisible();
    await startSoon(saleId);
    if (admission === 'waiting_room') {
      await expect(buyButton(page, 'Buy now')).toBeEnabled(START);
      await buyOnPage(page);
    }
    await expect(buyLink(page, /^Pay within/)).toBeVisible(START);
  });

test('[P7 M4] over plain http the page that checks receipts says what it needs', async ({ page }) => {
  await page.goto('/prove');
  await expect(
    page.getByText('This page needs https, or this machine itself, to check signatures.'),
  ).toBeVisible();
});
