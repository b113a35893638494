import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { passwordMailOf, resetTokenOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { enter, expectEntryEnded, newSale } from '../support/sales';
import { heading, signInOnPage } from '../support/shop';

const NEXT = 'three quiet lamps';

test('[N2 N3] a forgotten password is replaced by a mailed link: the other window and its entry token are out', async ({
  page,
}) => {
  const [shopper, sale] = await Promise.all([newShopper(), newSale()]);
  const entryToken = await enter(shopper, sale.saleId);
  await page.goto('/signin?callbackUrl=/orders');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(heading(page, 'Forgot your password?')).toBeVisible();
  const send = page.getByRole('button', { name: 'Send the link' });
  await page.getByLabel('E-mail').fill('nobody');
  await send.click();
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription(/^Enter an e-mail address/);
  await page.getByLabel('E-mail').fill(shopper.email);
  await send.click();
  await expect(
    page.getByRole('status').filter({ hasText: `If ${shopper.email} has an account` }),
  ).toBeVisible();
  await expectAccessible(page, 'a link was asked for');
  await expect.poll(() => resetTokenOf(shopper.userId)).toBeTruthy();
  const token = resetTokenOf(shopper.userId);

  // A scanner of mail opens the link and presses nothing.
  await page.goto(`/reset-password#${token}`);
  const [password, save] = [page.getByLabel('New password'), page.getByRole('button', { name: 'Save' })];
  await expect(save).toBeVisible();
  expect((await shopper.client.get('/api/orders')).status).toBe(200);

  await password.fill('short');
  await save.click();
  await expect(password).toHaveAccessibleDescription(/^Use at least 8/);
  await password.fill('87654321');
  await expect(page.getByRole('status').filter({ hasText: 'Others would guess it.' })).toBeVisible();
  await save.click();
  await expect(password).toHaveAccessibleDescription(/Others would guess it/);
  await expect(page.getByText(/guess it|easy to guess/)).toHaveCount(1);
  await password.fill('iloveyou');
  await expect(page.getByText('Others would guess it.')).toHaveCount(0);
  await save.click();
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription(/too easy to guess/);
  await expect(page.getByText('too easy to guess')).toHaveCount(1);
  await expectAccessible(page, 'an easy password');
  await password.fill(NEXT);
  await save.click();
  await expect(page.getByRole('status').filter({ hasText: `for ${shopper.email} is saved` })).toBeVisible();
  await expectAccessible(page, 'a new password');

  expectProblem(await shopper.client.get('/api/orders'), 401, 'UNAUTHENTICATED');
  await expectEntryEnded(sale.saleId, entryToken);
  await expect.poll(() => passwordMailOf(shopper.userId)).toContain(`To: ${shopper.email}`);
  await expect(new Client().signIn(shopper.email, shopper.password)).rejects.toThrow('could not sign in');

  // The same link again.
  await page.goto('about:blank');
  await page.goto(`/reset-password#${token}`);
  await password.fill('one more of them');
  await save.click();
  await expect(page.getByRole('alert').filter({ hasText: 'no longer valid' })).toBeVisible();
  await expectAccessible(page, 'a used link');
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(heading(page, 'Forgot your password?')).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await signInOnPage(page, { email: shopper.email, password: NEXT });
  await expect(page.getByRole('banner').getByRole('link', { name: 'Your account' })).toBeVisible();
});

test('[N2] the page without a link says what it needs, and a link that is far too long is one answer, too', async ({
  page,
}) => {
  await page.goto('/reset-password');
  await expect(page.getByRole('alert').filter({ hasText: 'needs the link from our mail' })).toBeVisible();
  // In the same tab, as pasted into its address.
  await page.goto(`/reset-password#${'x'.repeat(20_000)}`);
  await page.getByLabel('New password').fill(NEXT);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'no longer valid' })).toBeVisible();
});
