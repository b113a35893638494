import { expect, type Page, test } from '@playwright/test';
import { newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { verificationMailOf } from '../support/mails';
import { newSale } from '../support/sales';
import { formWorks, heading } from '../support/shop';

async function fill(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
}

test('[L3 I3] a visitor registers from a sale, is back there signed in, and gets mail in the language of the page', async ({
  page,
}) => {
  const sale = await newSale({ startsAt: Date.now() + 600_000 });
  await page.goto(`/zh-CN/sales/${sale.slug}`);
  await page.getByRole('main').getByRole('link', { name: '现在登录' }).click();
  await page.getByRole('link', { name: '立即注册' }).click();
  await expect(heading(page, '注册账号')).toBeVisible();
  await formWorks(page);
  await fill(page, { 姓名: 'Li Na', 邮箱: `e2e-${unique()}@example.com`, 密码: 'long enough' });
  const [answer] = await Promise.all([
    // A busy shop may refuse at first; then the page asks again.
    page.waitForResponse((response) => response.url().endsWith('/api/register') && response.ok()),
    page.getByRole('main').getByRole('button', { name: '注册' }).click(),
  ]);
  await expect(page).toHaveURL(new RegExp(`/zh-CN/sales/${sale.slug}$`));
  await expect(page.getByRole('banner').getByRole('button', { name: '退出' })).toBeVisible();
  const { userId } = (await answer.json()) as { userId: string };
  await expect.poll(() => verificationMailOf(userId)).toContain('/zh-CN/verify-email#');
});

test('[L3] the form says what is wrong at the field, and that an address is taken already', async ({
  page,
}) => {
  const { email } = await newShopper();
  await page.goto('/register');
  await formWorks(page);
  const create = page.getByRole('main').getByRole('button', { name: 'Create account' });
  await fill(page, { 'E-mail': 'nobody', Password: 'short' });
  await create.click();
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('Enter your name.');
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/Enter an e-mail address/);
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/Use at least 8 characters/);

  const said = (text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text });
  await expect(said('Still too short')).toBeVisible();
  await fill(page, { 'E-mail': 'lovelace@example.com', Password: 'lovelace1843' });
  await expect(said('Little more than your own name or address')).toBeVisible();
  await fill(page, { Name: 'Ann', 'E-mail': email, Password: 'long enough' });
  await expect(said('Long enough')).toBeVisible();
  await expectAccessible(page, 'registration with a word about the password');
  await create.click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'There is an account with this e-mail' }),
  ).toBeVisible();
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
});

test('[L3] a registration whose answer is lost is no address taken: it goes on to sign in', async ({
  page,
}) => {
  await page.route(
    '**/api/register',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.goto('/register');
  await formWorks(page);
  await fill(page, { Name: 'Ann', 'E-mail': `e2e-${unique()}@example.com`, Password: 'long enough' });
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign out' })).toBeVisible();
});
