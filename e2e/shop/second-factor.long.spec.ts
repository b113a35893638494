import { expect, type Page, test } from '@playwright/test';
import { totpCode } from '../../lib/account/factors/totp';
import { demoAdmin, newShopper, newVerifiedShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { newShopperWithApp, nextCode } from '../support/second-factor';
import { formWorks, heading, signInOnPage, toasts, useSession } from '../support/shop';

const section = (page: Page) => page.getByRole('region', { name: 'Two-step sign-in' });
const code = (page: Page) => page.getByRole('main').getByLabel('Code', { exact: true });
const signInButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true });
const press = (page: Page, name: string) => section(page).getByRole('button', { name, exact: true }).click();

test('[N5] a shopper sets up an app for one-time codes, signs in with a code, then with a recovery code, and turns it off', async ({
  page,
}) => {
  const shopper = await newVerifiedShopper();
  await useSession(page.context(), shopper);
  await page.goto('/account/sign-in');
  await press(page, 'Set up an app');
  const password = section(page).getByLabel('Your password');
  await expect(password).toBeFocused();
  await press(page, 'Set up an app');
  await expect(password).toHaveAccessibleDescription('Enter your password.');
  await password.fill('not this one');
  await press(page, 'Set up an app');
  await expect(section(page).getByRole('alert')).toHaveText(/This is not your present password\./);
  await password.fill(shopper.password);
  await press(page, 'Set up an app');
  await expect(section(page).getByRole('img', { name: 'QR code for your app' })).toBeVisible();
  await expect(section(page).getByRole('link', { name: 'Open it there' })).toHaveAttribute(
    'href',
    /^otpauth:\/\/totp\/Seckill:/,
  );
  await expectAccessible(page, 'the secret of an app');
  const shown = await section(page)
    .getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/)
    .textContent();
  const secret = (shown ?? '').replaceAll(' ', '');
  await press(page, 'Turn on');
  await expect(code(page)).toBeFocused();
  await expect(code(page)).toHaveAccessibleDescription('Enter the six digits that your app shows.');
  await code(page).fill('12345');
  await press(page, 'Turn on');
  await expect(section(page).getByRole('alert')).toHaveText(/This code is wrong or was used\./);
  const used = totpCode(secret);
  await code(page).fill(`${used.slice(0, 3)} ${used.slice(3)}`);
  await press(page, 'Turn on');
  await expect(section(page).getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  await expect(section(page).getByRole('listitem')).toHaveCount(10);
  const [recoveryCode = '', otherCode = ''] = await section(page).getByRole('listitem').allTextContents();
  await expectAccessible(page, 'recovery codes');
  await press(page, 'I have kept them');
  await expect(section(page).getByText('10 recovery codes are left.')).toBeVisible();
  await expectAccessible(page, 'two-step sign-in is on');

  await page.context().clearCookies();
  await page.goto('/signin?callbackUrl=/account');
  await signInOnPage(page, shopper);
  await expect(heading(page, 'One more step')).toBeVisible();
  await expectAccessible(page, 'the second step');
  await signInButton(page).click();
  await expect(code(page)).toBeFocused();
  await expect(code(page)).toHaveAccessibleDescription(/^Enter the six digits/);
  await code(page).fill(used);
  await signInButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This code is wrong or was used.' })).toBeVisible();
  await expectAccessible(page, 'a used code');
  await code(page).fill(nextCode(secret));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Your account')).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/signin?callbackUrl=/account/sign-in');
  await signInOnPage(page, shopper);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode.toUpperCase());
  await signInButton(page).click();
  await expect(heading(page, 'Sign-in and security')).toBeVisible();
  await expect(section(page).getByText('9 recovery codes are left.')).toBeVisible();

  await press(page, 'New recovery codes');
  await code(page).fill(recoveryCode);
  await press(page, 'New recovery codes');
  await expect(section(page).getByRole('alert')).toHaveText(/This code is wrong or was used\./);
  await press(page, 'Cancel');
  await press(page, 'Turn off');
  await expectAccessible(page, 'turning it off');
  await section(page).getByLabel('Your password').fill(shopper.password);
  await code(page).fill(otherCode);
  await press(page, 'Turn off');
  await expect(section(page).getByRole('status')).toHaveText(/Two-step sign-in is off\./);
  await expect(section(page).getByRole('button', { name: 'Set up an app' })).toBeFocused();
  await new Client().signIn(shopper.email, shopper.password);
});

test('[N5 N6] a shopper whose address is not verified is led to verify it, before a second factor', async ({
  page,
}) => {
  const shopper = await newShopper();
  await useSession(page.context(), shopper);
  await page.goto('/account/sign-in');
  await press(page, 'Set up an app');
  await section(page).getByLabel('Your password').fill(shopper.password);
  await press(page, 'Set up an app');
  await expect(section(page).getByRole('alert')).toHaveText(/Verify your e-mail address first/);
  await expectAccessible(page, 'a second factor for an address that is not verified');
  await section(page).getByRole('link', { name: 'Have the link sent to you' }).click();
  await expect(heading(page, 'Your e-mail address')).toBeVisible();
});

test('[N5] who takes too long, or comes without the password, begins again', async ({ page }) => {
  const shopper = await newShopperWithApp();
  await page.goto('/signin?callbackUrl=/account');
  await signInOnPage(page, shopper);
  await expect(heading(page, 'One more step')).toBeVisible();
  await formWorks(page);
  await page.context().clearCookies();
  await code(page).fill(nextCode(shopper.secret));
  await signInButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'That took too long' })).toBeVisible();
  await expectAccessible(page, 'the second step is over');
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await expect(page).toHaveURL('/signin?callbackUrl=%2Faccount');
});

test('[N5 L4] an admin removes the second factor that somebody has lost', async ({ page }) => {
  const shopper = await newShopperWithApp();
  await useSession(page.context(), { client: await demoAdmin() });
  await page.goto(`/admin/users?search=${shopper.email}`);
  await page.getByRole('button', { name: `Manage ${shopper.email}` }).click();
  await page.getByRole('button', { name: 'Turn off two-step sign-in' }).click();
  await page.getByRole('button', { name: 'Yes, do it' }).click();
  await expect(toasts(page).getByText(`Two-step sign-in is off for ${shopper.email}.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Turn off two-step sign-in' })).toHaveCount(0);
  expect((await shopper.client.get('/api/orders')).status).toBe(401);
  await new Client().signIn(shopper.email, shopper.password);
});
