import { expect, type Request, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { watchPolicy } from '../support/policy';
import { newSale } from '../support/sales';
import { buyButton, buyLink, buyOnPage, useSession } from '../support/shop';

test.skip(
  process.env.E2E_OTHER_NAMES !== '1',
  'for a web process with PURCHASE_ORIGIN and ASSET_ORIGIN: `npm test` starts one',
);

const named = (name: string) => baseUrl.replace('//localhost', `//${name}.localhost`);
const isFile = (request: Request) => ['script', 'stylesheet'].includes(request.resourceType());
const isPurchase = (request: Request) => request.url().includes('/purchase/');

test('[K3] a page buys at the other name without cookies and preflight; its files come from theirs', async ({
  page,
  context,
}) => {
  const noted = await watchPolicy(page);
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  const [shopper, { slug }] = await Promise.all([newShopper(), newSale()]);
  await useSession(context, shopper);
  const answer = await page.goto(`/sales/${slug}`);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain(`connect-src 'self' ${named('buy')};`);
  expect(policy).toMatch(/script-src 'self' http:\/\/static\.localhost:\d+\/_next\/static\/ 'sha256-/);
  await expect(page.locator(`link[rel=preconnect][href="${named('buy')}"][crossorigin]`)).toBeAttached();

  await buyOnPage(page);
  const [purchase] = requests.filter(isPurchase);
  expect(requests.filter(isPurchase).map((request) => request.method())).toEqual(['POST']);
  expect(purchase?.url().startsWith(`${named('buy')}/api/sales/`)).toBe(true);
  const headers = (await purchase?.allHeaders()) ?? {};
  expect(headers['content-type']).toContain('text/plain');
  expect([headers.cookie, headers['x-entry-token'], headers.origin]).toEqual([undefined, undefined, baseUrl]);
  expect((await purchase?.response())?.status()).toBe(202);

  // Next's router brings the next page in pieces.
  await page
    .getByRole('banner')
    .getByRole('link', { name: /orders/i })
    .click();
  await expect(page).toHaveURL(/\/orders$/);
  await expect(page.getByRole('link', { name: /Test sale|Test product/ }).first()).toBeVisible();
  const files = requests.filter(isFile).map((request) => request.url());
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((url) => !url.startsWith(`${named('static')}/_next/static/`))).toEqual([]);
  expect(noted).toEqual([]);
});

test('[K3 A6] where the other name cannot be reached the page buys at its own; a calculation works', async ({
  page,
  context,
}) => {
  const noted = await watchPolicy(page);
  const [shopper, { slug }] = await Promise.all([newShopper(), newSale({ challenge: 'pow' })]);
  await useSession(context, shopper);
  await page.route(`${named('buy')}/**`, (route) => route.abort());
  await page.goto(`/sales/${slug}`);
  const button = buyButton(page, 'Buy now');
  await expect(button).toBeEnabled({ timeout: 60_000 });
  const own = page.waitForResponse(
    (response) => response.url().startsWith(`${baseUrl}/api/`) && isPurchase(response.request()),
  );
  await button.click();
  expect((await own).status()).toBe(202);
  await expect(buyLink(page, /^Pay within/)).toBeVisible();
  expect(noted).toEqual([]);
});
