import { expect, type Page, test } from '@playwright/test';
import { demoAdmin, newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { formWorks, heading, useSession } from '../support/shop';
import { addAuthenticator } from '../support/virtual-passkeys';

const PASSWORD = 'correct horse battery';

const ENGLISH = {
  path: '',
  name: 'Name',
  email: 'E-mail',
  password: 'Password',
  accept: 'Accept',
  admin: 'Admin',
  needed: 'One thing before the admin area',
  add: 'Add a second factor',
  account: 'Your account',
  passkeys: 'Passkeys',
  addPasskey: 'Add a passkey',
  passkeyName: 'Name of the passkey',
  present: 'Present password',
  nameMissing: 'Give it a name.',
  codes: 'Your recovery codes',
  kept: 'I have kept them',
  unused: /not used yet/,
  used: /last used/,
  signOut: 'Sign out',
  signIn: 'Sign in',
  passkey: 'Sign in with a passkey',
  step: 'One more step',
  stepPasskey: 'Use a passkey',
  removeOne: 'Remove My phone',
  withPasskey: 'With a passkey instead',
  removed: 'The passkey “My phone” is removed.',
};
const CHINESE: typeof ENGLISH = {
  path: '/zh-CN',
  name: '姓名',
  email: '邮箱',
  password: '密码',
  accept: '接受邀请',
  admin: '商家后台',
  needed: '进入商家后台之前',
  add: '添加第二重验证',
  account: '我的账号',
  passkeys: '通行密钥',
  addPasskey: '添加通行密钥',
  passkeyName: '通行密钥名称',
  present: '当前密码',
  nameMissing: '请填写名称。',
  codes: '您的恢复码',
  kept: '我已保存',
  unused: /尚未使用/,
  used: /上次使用/,
  signOut: '退出',
  signIn: '登录',
  passkey: '使用通行密钥登录',
  step: '还差一步',
  stepPasskey: '使用通行密钥',
  removeOne: '移除My phone',
  withPasskey: '改用通行密钥',
  removed: '通行密钥“My phone”已移除。',
};

/** Shows the page what a shop outside the demo says of staff without a factor. */
async function asOutsideDemo(page: Page): Promise<void> {
  await page.route('**/api/visit*', async (route) => {
    const answer = await route.fetch();
    const visit = await answer.json();
    const factors = await page.request.get('/api/account/factors');
    const had = factors.ok() ? (await factors.json()).passkeys.length : 0;
    const user = visit.user && had === 0 ? { ...visit.user, needsFactor: true } : visit.user;
    await route.fulfill({ response: answer, json: { ...visit, user } });
  });
}

for (const [language, words] of [
  ['English', ENGLISH],
  ['Chinese', CHINESE],
] as const)
  test(`[N5] an invited admin adds a passkey, signs in by it, alone and after the password, and removes it (${language})`, async ({
    page,
  }) => {
    test.setTimeout(900_000);
    const email = `e2e-${unique()}@example.com`;
    const invited = await (await demoAdmin()).post('/api/admin/invitations', { email, role: 'admin' });
    await addAuthenticator(page);
    await asOutsideDemo(page);
    const link = new URL(String(invited.body.url));
    await page.goto(`${words.path}/invite${link.hash}`);
    await page.getByLabel(words.name).fill('Ada');
    await page.getByLabel(words.password).fill(PASSWORD);
    await page.getByRole('button', { name: words.accept }).click();
    await expect(heading(page, words.needed)).toBeVisible();
    await expectAccessible(page, 'admin area without a factor');
    await page.getByRole('link', { name: words.add }).click();

    const section = page.getByRole('region', { name: words.passkeys });
    await section.getByRole('button', { name: words.addPasskey }).click();
    await section.getByRole('button', { name: words.addPasskey }).click();
    await expect(section.getByLabel(words.passkeyName)).toBeFocused();
    await expect(section.getByText(words.nameMissing)).toBeVisible();
    await section.getByLabel(words.passkeyName).fill('My phone');
    await section.getByLabel(words.present).fill(PASSWORD);
    await section.getByRole('button', { name: words.addPasskey }).click();
    await expect(section.getByRole('heading', { name: words.codes })).toBeVisible();
    await expectAccessible(page, 'a passkey was added');
    await section.getByRole('button', { name: words.kept }).click();
    await expect(section.getByText(words.unused)).toBeVisible();

    const signOut = async () => {
      await page.getByRole('banner').getByRole('button', { name: words.signOut }).click();
      await expect(page.getByRole('banner').getByRole('link', { name: words.signIn })).toBeVisible();
    };
    await signOut();
    await page.goto(`${words.path}/signin?callbackUrl=${encodeURIComponent(`${words.path}/admin/sales`)}`);
    await expectAccessible(page, 'sign-in with a passkey');
    await page.getByRole('button', { name: words.passkey }).click();
    await expect(page).toHaveURL(/\/admin\/sales$/);
    await expect(page.getByRole('navigation', { name: words.admin, exact: true })).toBeVisible();

    await signOut();
    await page.goto(`${words.path}/signin?callbackUrl=${encodeURIComponent(`${words.path}/account`)}`);
    await formWorks(page);
    await page.getByLabel(words.email).fill(email);
    await page.getByLabel(words.password).fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: words.signIn, exact: true }).click();
    await expect(heading(page, words.step)).toBeVisible();
    await expectAccessible(page, 'second step with a passkey');
    await page.getByRole('button', { name: words.stepPasskey }).click();
    await expect(heading(page, words.account)).toBeVisible();
    await expect(section.getByText(words.used)).toBeVisible();

    await section.getByRole('button', { name: words.removeOne }).click();
    await section.getByLabel(words.present).fill(PASSWORD);
    await expectAccessible(page, 'removing a passkey');
    await section.getByRole('button', { name: words.withPasskey }).click();
    await expect(section.getByText(words.removed)).toBeVisible();
    await new Client().signIn(email, PASSWORD);
    // The page may just be asking who is there.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

test('[N5] whoever uses no passkey after all is told so, and can go on by password', async ({ page }) => {
  const shopper = await newShopper();
  await page.goto('/signin');
  // There is no authenticator, so that the browser's question ends at once, or when it is taken back.
  await page.evaluate(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: ENGLISH.passkey }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No passkey was used.' })).toBeVisible();
  await page.getByLabel(ENGLISH.email).fill(shopper.email);
  await page.getByLabel(ENGLISH.password).fill(shopper.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign out' })).toBeVisible();
});

test('[N5] a browser without passkeys offers none', async ({ page }) => {
  const shopper = await newShopper();
  await useSession(page.context(), shopper);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'PublicKeyCredential', { value: undefined });
  });
  await page.goto('/account');
  await expect(page.getByText('This browser knows no passkeys.')).toBeVisible();
  await page.context().clearCookies();
  await page.goto('/signin');
  await expect(page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: ENGLISH.passkey })).toHaveCount(0);
});
