import { expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { watchPolicy } from '../support/policy';
import { nextSecret } from '../support/puzzle';
import { newSale } from '../support/sales';
import { buyButton, buyOnPage, goToPayment, heading, useSession } from '../support/shop';

/** Waits for an element of every page of ours; once it is there, the page works and has requested what it loads. */
const isUp = (page: Page) => expect(page.getByRole('navigation', { name: /Main|主/ })).toBeVisible();

test('[N8] the policy keeps nothing of ours from working, whatever stands in the address', async ({
  page,
}) => {
  const noted = await watchPolicy(page);
  const { slug } = await newSale();
  const markup = encodeURIComponent('"><script>window.isHacked = true</script>');
  for (const path of [
    '/',
    '/zh-CN',
    `/sales/${slug}`,
    '/signin',
    '/register',
    '/orders',
    '/docs/api',
    '/orders/1',
    '/pay/sandbox/x',
    '/nowhere',
    '/zh-CN/nowhere/at/all',
    '/sales/nowhere',
  ]) {
    for (const query of ['', `?x=${markup}&callbackUrl=${markup}&token=${markup}#${markup}`]) {
      await page.goto(path + query);
      await isUp(page);
      expect(await page.evaluate(() => 'isHacked' in window), path).toBe(false);
    }
  }
  expect(noted).toEqual([]);
});

test('[N8] … nor buying and paying, a puzzle, a calculation in a worker', async ({ page, context }) => {
  const noted = await watchPolicy(page);
  const [shopper, sale, puzzle, calculation] = await Promise.all([
    newShopper(),
    newSale(),
    newSale({ challenge: 'slider' }),
    newSale({ challenge: 'pow' }),
  ]);
  await useSession(context, shopper);
  await page.goto(`/sales/${sale.slug}`);
  await buyOnPage(page);
  await goToPayment(page);
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Pay €/ })
    .click();
  await expect(heading(page, "Paid. It's yours!")).toBeVisible();

  await nextSecret(page, shopper, puzzle.saleId, () => page.goto(`/sales/${puzzle.slug}`));
  const pictures = page.getByRole('main').locator('img[src^="data:"]');
  await expect(pictures.first()).toBeVisible();
  expect(
    await pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
  ).toBe(true);
  await page.goto(`/sales/${calculation.slug}`);
  await expect(buyButton(page, 'Buy now')).toBeEnabled({ timeout: 150_000 });
  expect(noted).toEqual([]);
});

test("[N8] … nor the admin area's charts and dialogs", async ({ page, context }) => {
  const noted = await watchPolicy(page);
  const [merchant, { saleId }] = await Promise.all([demoMerchant(), newSale()]);
  await useSession(context, { client: merchant });
  await page.goto(`/admin/sales/${saleId}`);
  await expect(page.locator('canvas').first()).toBeVisible({ timeout: 150_000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.keyboard.press('Escape');
  await page.goto('/admin/risk');
  await isUp(page);
  expect(noted).toEqual([]);
});

test('[N8] script that somebody got into a page does not run', async ({ page }) => {
  const noted = await watchPolicy(page);
  await page.route('**/signin', async (route) => {
    const response = await route.fetch();
    const evil = [
      '<script>window.isHacked = true</script>',
      '<script src="https://evil.example/x.js"></script>',
      '<img src="/none.png" onerror="window.isHacked = true">',
      '<iframe srcdoc="<script>parent.isHacked = true</script>"></iframe>',
      '<object data="/icon.svg"></object>',
      '<base href="https://evil.example/">',
    ].join('');
    await route.fulfill({ response, body: (await response.text()).replace('</body>', `${evil}</body>`) });
  });
  await page.goto('/signin');
  await expect(heading(page, 'Sign in')).toBeVisible();
  await expect.poll(() => noted.join()).toContain('script-src-attr');
  expect(await page.evaluate(() => 'isHacked' in window)).toBe(false);
  for (const directive of ['script-src-elem inline', 'script-src-elem https://evil.example/x.js', 'base-uri'])
    expect(noted.join()).toContain(directive);
});
