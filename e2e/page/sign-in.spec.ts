import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { newShopper, type Shopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { baseUrl } from '../support/base-url';
import { Client } from '../support/client';
import { expectEntryEnded, newSale } from '../support/sales';
import { newShopperWithApp } from '../support/second-factor';
import { formWorks, heading, signInOnPage } from '../support/shop';

const { origin } = new URL(baseUrl);
const main = (page: Page) => page.getByRole('main');
/** Finds what a page says to browsers without script: Playwright's own finders skip it. */
const withoutScript = (page: Page, words: string) =>
  page.locator('noscript > *').filter({ hasText: words, visible: true });
const signInButton = (page: Page) => main(page).getByRole('button', { name: 'Sign in', exact: true });

async function fill(page: Page, { email, password }: Pick<Shopper, 'email' | 'password'>) {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
}

/** Collects the addresses a form has led to: none may hold a password. */
function watchAddresses(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => seen.push(request.url()));
  return seen;
}

test('[N8] signing in leads nobody off this site, whatever the link says @long', async ({ page }) => {
  test.setTimeout(900_000);
  const shopper = await newShopper();
  const nasty = [
    '/en//evil.test/x',
    '/.//evil.test/x',
    '//evil.test/x',
    '/\\evil.test/x',
    '/zh-CN//evil.test/x',
    'https://evil.test/x',
    'javascript:alert(1)',
    '/%2F%2Fevil.test',
    '/\t/evil.test',
    '/en/..//evil.test',
    `${origin}@evil.test/x`,
    `${origin}.evil.test/x`,
    '/en/%5Cevil.test',
    'data:text/html,x',
    '/en/./%2e//evil.test',
  ];
  for (const candidate of nasty) {
    await page.context().clearCookies();
    await page.goto(`/signin?callbackUrl=${encodeURIComponent(candidate)}`);
    await signInOnPage(page, shopper);
    await expect(page.getByRole('banner').getByRole('button', { name: 'Sign out' })).toBeVisible();
    await expect(page, candidate).not.toHaveURL(/signin/);
    expect(new URL(page.url()).origin, candidate).toBe(origin);
  }
});

test('[N8] no link on a page that is not there leads off this site', async ({ page }) => {
  for (const path of [
    '/zh-CN//evil.test/x',
    '/en//evil.test/x',
    '/.//evil.test/x',
    '/zh-CN/%2F%2Fevil.test/x',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(page.url()).origin).toBe(origin);
    // All in one step: at an address that begins with two slashes Next's script fails a moment later, and its page of that
    // failure has no links.
    const links = await page
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const href of links) expect(new URL(href).origin, path).toBe(origin);
  }
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('[N8] one signs in, is where one wanted to go, and no address ever held the password', async ({
    page,
  }) => {
    const [shopper, sale] = await Promise.all([newShopper(), newSale()]);
    const seen = watchAddresses(page);
    await page.goto(`/signin?callbackUrl=${encodeURIComponent(`/sales/${sale.slug}`)}`);
    await expect(withoutScript(page, 'This shop needs JavaScript')).toBeVisible();
    await fill(page, shopper);
    await signInButton(page).click();
    await expect(page).toHaveURL(`/sales/${sale.slug}`);
    await expect(
      withoutScript(page, 'Without JavaScript this page can neither count down nor sell.'),
    ).toBeVisible();
    const session = await page.context().request.get('/api/auth/session');
    expect(await session.json()).toMatchObject({ user: { email: shopper.email } });
    expect(seen.filter((url) => url.includes(encodeURIComponent(shopper.password).slice(0, 7)))).toEqual([]);
  });

  test('[N8 N4] a wrong password and a wait are said in words, in both languages', async ({ page }) => {
    const { email } = await newShopper();
    await page.goto('/zh-CN/signin?callbackUrl=/zh-CN/orders');
    await page.getByLabel('邮箱').fill(email);
    await page.getByLabel('密码').fill('wrong');
    await main(page).getByRole('button', { name: '登录' }).click();
    await expect(withoutScript(page, '邮箱与密码不匹配。')).toBeVisible();
    await expect(page).toHaveURL(/\/zh-CN\/signin\?.*callbackUrl=%2Fzh-CN%2Forders/);
    await page.goto('/signin');
    // The first wait is a second, each further one twice as long: a busy machine gets a few more tries.
    for (let tries = 0; tries < 14; tries += 1) {
      await fill(page, { email, password: 'wrong' });
      await Promise.all([page.waitForEvent('framenavigated'), signInButton(page).click()]);
      if (new URL(page.url()).hash.startsWith('#wait')) break;
      await expect(withoutScript(page, "E-mail and password don't match an account.")).toBeVisible();
    }
    await expect(withoutScript(page, 'Too many tries from here. Try again in')).toBeVisible();
  });

  test('[N5 N8] the second step asks for a code, and says which is wrong', async ({ page }) => {
    const shopper = await newShopperWithApp();
    await page.goto('/signin?callbackUrl=/orders');
    await fill(page, shopper);
    await signInButton(page).click();
    await expect(page).toHaveURL('/second-step?callbackUrl=%2Forders');
    const code = page.getByLabel('Code', { exact: true });
    await code.fill('123');
    await signInButton(page).click();
    await expect(withoutScript(page, 'This code is wrong or was used.')).toBeVisible();
    await code.fill(shopper.recoveryCodes[0] as string);
    await signInButton(page).click();
    await expect(page).toHaveURL('/orders');
    const session = await page.context().request.get('/api/auth/session');
    expect(await session.json()).toMatchObject({ user: { email: shopper.email } });
  });

  test('[N8] one registers and is signed in; what is wrong is said', async ({ page }) => {
    const email = `e2e-${unique()}@example.com`;
    await page.goto('/register?callbackUrl=/orders');
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await fill(page, { email, password: 'long enough' });
    await main(page).getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL('/orders');
    const session = await page.context().request.get('/api/auth/session');
    expect(await session.json()).toMatchObject({ user: { email, name: 'Ann' } });
    await page.goto('/register');
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await fill(page, { email, password: 'long enough' });
    await main(page).getByRole('button', { name: 'Create account' }).click();
    await expect(withoutScript(page, 'There is an account with this e-mail already.')).toBeVisible();
  });

  test('[N8] no other page has a form', async ({ page }) => {
    const sale = await newSale();
    for (const path of [
      '/',
      `/sales/${sale.slug}`,
      '/orders',
      '/account',
      '/account/sign-in',
      '/account/language',
      '/account/data',
      '/invite',
      '/verify-email',
      '/forgot-password',
      '/reset-password',
      '/confirm-email',
      '/stop-email',
      '/stop-mails',
      '/admin/users',
    ]) {
      await page.goto(path);
      await expect(page.locator('form'), path).toHaveCount(0);
    }
  });
});

test('[N8] a form that is sent before its script has come signs in, and puts nothing into an address', async ({
  page,
}) => {
  const shopper = await newShopper();
  const seen = watchAddresses(page);
  let release = () => {};
  const clicked = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await clicked;
    await route.continue().catch(() => {});
  });
  await page.goto('/signin?callbackUrl=/orders', { waitUntil: 'commit' });
  await fill(page, shopper);
  await signInButton(page).click({ noWaitAfter: true });
  await expect.poll(() => seen.some((url) => url.endsWith('/orders'))).toBe(true);
  release();
  await expect(page).toHaveURL('/orders');
  await expect(heading(page, 'My orders')).toBeVisible();
  expect(seen.filter((url) => url.includes('password'))).toEqual([]);
});

test('[N8] a form that came back before its script was there says why', async ({ page }) => {
  await page.goto('/signin?notice=wrong&callbackUrl=%2Forders#wrong');
  await expect(page.getByRole('alert').filter({ hasText: "don't match" })).toBeVisible();
  await page.goto('/signin?notice=wait&wait=37#wait-60');
  await expect(page.getByRole('alert').filter({ hasText: 'You can try again in 00:37.' })).toBeVisible();
  await page.goto('/signin?notice=<b>x</b>&wait=x');
  await expect(signInButton(page)).toBeVisible();
  await expect(main(page).getByRole('alert')).toHaveCount(0);
});

test('[N8] whoever has cookies blocked is told so, with script before anything is sent, without it afterwards @long', async ({
  playwright,
}, { outputDir, project }) => {
  const shopper = await newShopper();
  for (const javaScriptEnabled of [true, false]) {
    const profile = join(outputDir, `profile-${javaScriptEnabled}`);
    mkdirSync(join(profile, 'Default'), { recursive: true });
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(settings));
    const context = await playwright.chromium.launchPersistentContext(profile, {
      ...project.use.launchOptions,
      // The headless shell has no settings.
      executablePath: process.env.E2E_BROWSER_WITH_SETTINGS,
      javaScriptEnabled,
      baseURL: baseUrl,
    });
    const page = await context.newPage();
    await page.goto('/signin');
    if (javaScriptEnabled)
      await expect(page.getByRole('alert').filter({ hasText: 'Your browser blocks cookies' })).toBeVisible();
    await fill(page, shopper);
    await signInButton(page).click();
    const words = 'your browser kept no cookie';
    await expect(javaScriptEnabled ? page.getByText(words) : withoutScript(page, words)).toBeVisible();
    await context.close();
  }
});

test('[N4 A6] while too many sign in the page tries again by itself', async ({ page }) => {
  const shopper = await newShopper();
  let isFull = true;
  await page.route('**/api/auth/callback/credentials', async (route) => {
    if (!isFull) return route.continue();
    const json = { status: 503, code: 'UNAVAILABLE', title: 'x', retryAfterMs: 300 };
    return route.fulfill({ status: 503, json, headers: { 'retry-after': '1' } });
  });
  await page.goto('/signin?callbackUrl=/orders');
  await formWorks(page);
  await fill(page, shopper);
  await signInButton(page).click();
  await expect(page.getByText('Stay here: we try again by ourselves.')).toBeVisible();
  isFull = false;
  await expect(page).toHaveURL('/orders');
});

test('[N3] signing out takes everything out of this browser, in every tab, and ends copies of the cookie', async ({
  page,
  context,
}) => {
  const [shopper, sale] = await Promise.all([newShopper(), newSale({ startsAt: Date.now() + 9 * 60_000 })]);
  await page.goto(`/signin?callbackUrl=${encodeURIComponent(`/sales/${sale.slug}`)}`);
  await signInOnPage(page, shopper);
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('attempt')));
  await expect.poll(kept).toHaveLength(1);
  const token = await page.evaluate(() => {
    const [key = ''] = Object.keys(localStorage).filter((each) => each.includes('attempt'));
    return JSON.parse(localStorage.getItem(key) ?? '{}').entry.entryToken as string;
  });
  const other = await context.newPage();
  await other.goto('/orders');
  await expect(heading(other, 'My orders')).toBeVisible();
  const copied = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');

  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(other.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(heading(other, 'Sign in')).toBeVisible();
  await expect.poll(kept).toEqual([]);
  expect((await context.cookies()).filter(({ name }) => name.includes('session-token'))).toEqual([]);

  const asCopied = { headers: { cookie: copied } };
  expect((await new Client().get('/api/orders', asCopied)).status).toBe(401);
  expect((await new Client().get('/api/auth/session', asCopied)).body).toEqual({});
  await expectEntryEnded(sale.saleId, token);
});

for (const { path, fields, button, inLine, leave } of [
  {
    path: '/signin?callbackUrl=/orders',
    fields: ['E-mail', 'Password'],
    button: 'Sign in',
    inLine: /You are in line, and your turn comes in about 00:\d\d\. Stay here: we go on by ourselves\./,
    leave: 'Stop waiting',
  },
  {
    path: '/zh-CN/signin?callbackUrl=/zh-CN/orders',
    fields: ['邮箱', '密码'],
    button: '登录',
    inLine: /您正在排队，大约 00:\d\d 后轮到您。请留在本页，我们会自动继续。/,
    leave: '不再等待',
  },
] as const)
  test(`[N4 L3] ${path} tells whoever is in line when their turn comes, and signs in by itself; one may leave`, async ({
    page,
  }) => {
    const shopper = await newShopper();
    let isFull = true;
    let asked = 0;
    await page.route('**/api/auth/callback/credentials', (route) => {
      asked += 1;
      if (!isFull) return route.continue();
      const json = { status: 503, code: 'UNAVAILABLE', title: 'x', retryAfterMs: 500, expectedMs: 50_000 };
      return route.fulfill({ status: 503, json, headers: { 'retry-after': '1' } });
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await formWorks(page);
    await page.getByLabel(fields[0]).fill(shopper.email);
    await page.getByLabel(fields[1]).fill(shopper.password);
    const submit = main(page).getByRole('button', { name: button, exact: true });
    await submit.click();
    const line = page.getByRole('status').filter({ hasText: inLine });
    await expect(line).toBeVisible();
    const spoken = line.locator('.sr-only');
    const words = await spoken.textContent();
    await expectAccessible(page, `in line at ${path}`);
    await expect.poll(() => asked).toBeGreaterThan(3);
    // A screen reader hears it once, however often the page asks.
    expect(await spoken.textContent()).toBe(words);

    await page.getByRole('button', { name: leave }).click();
    await expect(line).toBeHidden();
    await expect(page.getByLabel(fields[0])).toHaveValue(shopper.email);
    await expect(page.getByLabel(fields[1])).toHaveValue(shopper.password);
    await submit.click();
    await expect(line).toBeVisible();
    isFull = false;
    await expect(page).toHaveURL(/\/orders$/);
  });
