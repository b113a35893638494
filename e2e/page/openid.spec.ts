import { expect, type Page, test } from '@playwright/test';
import { newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { execute } from '../support/database';
import { useSession } from '../support/shop';

// `npm test` starts the other server beside the product.

/** Signs in at the other server, or not. */
async function signInThere(page: Page, email: string, press = 'Go on'): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in there' })).toBeVisible();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByRole('button', { name: press }).click();
}

const STORIES = [
  {
    name: 'in English, on a wide screen',
    size: { width: 1280, height: 800 },
    prefix: '',
    words: {
      with: 'Continue with Example Login',
      cancelled: 'You have not signed in there.',
      exists: 'There is an account with your e-mail address already.',
      noPassword: 'You have no password.',
      signIns: 'Ways to sign in',
      join: 'Join Example Login',
      password: 'Present password',
      joined: 'From now on you can sign in this way, too.',
      remove: 'Remove Example Login',
      removed: 'Example Login no longer signs in to your account.',
    },
  },
  {
    name: 'in Chinese, on a telephone',
    size: { width: 390, height: 844 },
    prefix: '/zh-CN',
    words: {
      with: '使用 Example Login 登录',
      cancelled: '您没有在对方网站完成登录。',
      exists: '已有账号使用您的邮箱地址。',
      noPassword: '您还没有密码。',
      signIns: '登录方式',
      join: '关联 Example Login',
      password: '当前密码',
      joined: '今后您也可以用这种方式登录。',
      remove: '移除 Example Login',
      removed: 'Example Login 不能再登录您的账号',
    },
  },
] as const;

for (const { name, size, prefix, words } of STORIES)
  test.describe(name, () => {
    test.use({ viewport: size });

    test('[N6] somebody signs in by another server, gets an account without a password, and comes back', async ({
      page,
    }) => {
      await page.goto(`${prefix}/signin?callbackUrl=${encodeURIComponent(`${prefix}/account`)}`);
      const link = page.getByRole('link', { name: words.with });
      await expect(link).toBeVisible();
      await expectAccessible(page, 'sign-in page with a link to another server');
      await page.setViewportSize(size);
      await link.click();
      await signInThere(page, '', 'Cancel');
      await expect(page.getByRole('alert').filter({ hasText: words.cancelled })).toBeVisible();
      await link.click();
      const email = `e2e-${unique()}@example.com`;
      await signInThere(page, email);
      await expect(page).toHaveURL(new RegExp(`${prefix}/account$`));
      await expect(page.getByText('Ada Lovelace').first()).toBeVisible();
      const section = page.getByRole('region', { name: words.signIns });
      await expect(section.getByText(words.noPassword)).toBeVisible();
      // The only way in can't be removed.
      await expect(section.getByRole('button')).toHaveCount(0);
      await expectAccessible(page, 'account without a password');
    });

    test('[N6] the owner of an account joins the other server’s sign-in, and takes it away', async ({
      page,
    }) => {
      const shopper = await newShopper();
      await execute('UPDATE users SET email_verified_at = now() WHERE id = $1', [shopper.userId]);
      await page.goto(`${prefix}/signin`);
      await page.getByRole('link', { name: words.with }).click();
      await signInThere(page, shopper.email);
      await expect(page.getByRole('alert').filter({ hasText: words.exists })).toBeVisible();

      await useSession(page.context(), shopper);
      await page.goto(`${prefix}/account`);
      const section = page.getByRole('region', { name: words.signIns });
      await section.getByRole('button', { name: words.join }).click();
      await section.getByLabel(words.password).fill(shopper.password);
      await section.getByRole('button', { name: words.join }).click();
      // The other server knows this browser already, and asks nothing.
      await expect(section.getByRole('status').filter({ hasText: words.joined })).toBeVisible();
      await expectAccessible(page, 'account with a sign-in of another server');
      await page.setViewportSize(size);
      await section.getByRole('button', { name: words.remove }).click();
      await section.getByLabel(words.password).fill(shopper.password);
      await section.getByRole('button', { name: words.remove }).click();
      await expect(section.getByRole('status').filter({ hasText: words.removed })).toBeVisible();
      await expect(section.getByRole('button', { name: words.join })).toBeVisible();
    });
  });
