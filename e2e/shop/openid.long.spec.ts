import { expect, type Page, test } from '@playwright/test';
import { newVerifiedShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { useSession } from '../support/shop';

// The run starts the sign-in server beside the product.

/** Signs in at the sign-in server, or presses another button there. */
async function signInThere(page: Page, email: string, press = 'Go on'): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in there' })).toBeVisible();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByRole('button', { name: press }).click();
}

test('[N6] a shopper without an account signs in by the shop’s sign-in server, and comes back to where they were', async ({
  page,
}) => {
  await page.goto('/signin?callbackUrl=%2Faccount');
  const button = page.getByRole('button', { name: 'Continue with Example Login' });
  await button.click();
  await signInThere(page, '', 'Cancel');
  await expect(page).toHaveURL(/\/signin$/);
  await page.goto('/signin?callbackUrl=%2Faccount');
  await expect(button).toBeVisible();
  await expectAccessible(page, 'sign-in page with the button of a sign-in server');
  await button.click();
  await signInThere(page, `e2e-${unique()}@example.com`);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('Ada Lovelace').first()).toBeVisible();
  await page.goto('/account/sign-in');
  const section = page.getByRole('region', { name: 'Sign in with another service' });
  await expect(section.getByText('You have no password yet.')).toBeVisible();
  // The only way in can't be removed.
  await expect(section.getByRole('button')).toHaveCount(0);
});

test('[N6 I3] an owner joins the sign-in server on the account page, and removes it (Chinese)', async ({
  page,
}) => {
  const shopper = await newVerifiedShopper();
  await page.goto('/zh-CN/signin');
  await page.getByRole('button', { name: '使用 Example Login 登录' }).click();
  await signInThere(page, shopper.email);
  await expect(page.getByRole('alert').filter({ hasText: '已有账号使用您的邮箱' })).toBeVisible();

  await useSession(page.context(), shopper);
  await page.goto('/zh-CN/account/sign-in');
  const section = page.getByRole('region', { name: '使用其他服务登录' });
  const join = section.getByRole('button', { name: '关联 Example Login' });
  await join.click();
  await section.getByLabel('您的密码').fill(shopper.password);
  await join.click();
  // The sign-in server knows this browser by now, and asks nothing.
  await expect(section.getByRole('status').filter({ hasText: '今后您可以使用对方服务登录' })).toBeVisible();
  await expect(page).toHaveURL(/\/zh-CN\/account\/sign-in\?/);
  await expectAccessible(page, 'account with a sign-in server');
  const remove = section.getByRole('button', { name: '移除Example Login' });
  await remove.click();
  await section.getByLabel('您的密码').fill(shopper.password);
  await remove.click();
  await expect(section.getByRole('status').filter({ hasText: '不能再用于登录' })).toBeVisible();
  await expect(join).toBeVisible();
});
