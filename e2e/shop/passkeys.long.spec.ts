import { expect, type Page, test } from '@playwright/test';
import { newShopper, newVerifiedShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { addAuthenticator } from '../support/passkeys';
import { formWorks, heading, signInOnPage, useSession } from '../support/shop';

const ENGLISH = {
  path: '',
  section: 'Two-step sign-in',
  add: 'Add a passkey',
  name: 'Name of the passkey',
  nameMissing: 'Give the passkey a name.',
  password: 'Your password',
  codes: 'Your recovery codes',
  kept: 'I have kept them',
  unused: /not used yet/,
  used: /last used/,
  signIn: 'Sign in with a passkey',
  room: 'Sign-in and security',
  removeOne: 'Remove My phone',
  instead: 'Use a passkey instead',
  off: /Two-step sign-in is off\./,
};
const CHINESE: typeof ENGLISH = {
  path: '/zh-CN',
  section: '两步验证',
  add: '添加通行密钥',
  name: '通行密钥名称',
  nameMissing: '请填写通行密钥名称。',
  password: '您的密码',
  codes: '您的恢复码',
  kept: '我已保存',
  unused: /尚未使用/,
  used: /上次使用/,
  signIn: '使用通行密钥登录',
  room: '登录与安全',
  removeOne: '移除My phone',
  instead: '改用通行密钥',
  off: /两步验证已关闭/,
};

for (const [language, words] of [
  ['English', ENGLISH],
  ['Chinese', CHINESE],
] as const)
  test(`[N5 I3] a shopper adds a passkey, signs in by it, alone and instead of a code, and removes it (${language})`, async ({
    page,
  }) => {
    const shopper = await newVerifiedShopper();
    await useSession(page.context(), shopper);
    await addAuthenticator(page);
    await page.goto(`${words.path}/account/sign-in`);
    const section = page.getByRole('region', { name: words.section });
    const press = (name: string) => section.getByRole('button', { name, exact: true }).click();
    await press(words.add);
    await expect(section.getByLabel(words.name)).toBeFocused();
    await press(words.add);
    await expect(section.getByLabel(words.name)).toHaveAccessibleDescription(words.nameMissing);
    await section.getByLabel(words.name).fill('My phone');
    await section.getByLabel(words.password).fill(shopper.password);
    await expectAccessible(page, 'adding a passkey');
    await press(words.add);
    await expect(section.getByRole('heading', { name: words.codes })).toBeVisible();
    await expectAccessible(page, 'a passkey was added');
    await press(words.kept);
    await expect(section.getByText(words.unused)).toBeVisible();
    await expectAccessible(page, 'a passkey that was not used');

    const wanted = encodeURIComponent(`${words.path}/account/sign-in`);
    await page.context().clearCookies();
    await page.goto(`${words.path}/signin?callbackUrl=${wanted}`);
    await page.getByRole('button', { name: words.signIn }).click();
    await expect(heading(page, words.room)).toBeVisible();
    await expect(section.getByText(words.used)).toBeVisible();

    await page.context().clearCookies();
    await page.goto(`${words.path}/second-step?callbackUrl=${wanted}`);
    await expectAccessible(page, 'the second step with a passkey');
    await page.getByRole('button', { name: words.signIn }).click();
    await expect(heading(page, words.room)).toBeVisible();

    await press(words.removeOne);
    await section.getByLabel(words.password).fill(shopper.password);
    await expectAccessible(page, 'removing a passkey');
    await press(words.instead);
    await expect(section.getByRole('status')).toHaveText(words.off);
    await expect(section.getByRole('listitem')).toHaveCount(0);
    await new Client().signIn(shopper.email, shopper.password);
  });

test('[N2 N5] a shopper deletes the account with a passkey instead of a code', async ({ page }) => {
  const shopper = await newVerifiedShopper();
  await useSession(page.context(), shopper);
  await addAuthenticator(page);
  await page.goto('/account/sign-in');
  const add = page.getByRole('button', { name: ENGLISH.add, exact: true });
  await add.click();
  await page.getByLabel(ENGLISH.name).fill('My phone');
  await page
    .getByRole('region', { name: ENGLISH.section })
    .getByLabel(ENGLISH.password)
    .fill(shopper.password);
  await add.click();
  await page.getByRole('button', { name: ENGLISH.kept }).click();

  await page.goto('/account/data');
  const section = page.getByRole('region', { name: 'Delete your account' });
  await section.getByLabel(ENGLISH.password).fill(shopper.password);
  await section.getByRole('button', { name: ENGLISH.instead }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete my account' }).click();
  await expect(heading(page, 'Your account is deleted')).toBeVisible();
});

/** Has the browser's question for a passkey end as if its user had taken it back. */
const takeBack = (page: Page) =>
  page.evaluate(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });

test('[N5] a shopper who uses no passkey after all is told so, and can go on by password', async ({
  page,
}) => {
  const shopper = await newShopper();
  await page.goto('/signin?callbackUrl=/account/sign-in');
  await formWorks(page);
  await takeBack(page);
  await page.getByRole('button', { name: ENGLISH.signIn }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No passkey was used.' })).toBeVisible();
  await expectAccessible(page, 'no passkey was used');
  await signInOnPage(page, shopper);
  await expect(heading(page, ENGLISH.room)).toBeVisible();
});

test('[N5] a browser without passkeys offers none', async ({ page }) => {
  const shopper = await newShopper();
  await useSession(page.context(), shopper);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'PublicKeyCredential', { value: undefined });
  });
  await page.goto('/account/sign-in');
  await expect(page.getByText('This browser knows no passkeys.')).toBeVisible();
  await page.context().clearCookies();
  await page.goto('/signin');
  await formWorks(page);
  await expect(page.getByRole('button', { name: ENGLISH.signIn })).toHaveCount(0);
});
