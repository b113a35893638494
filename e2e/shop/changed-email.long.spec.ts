import { expect, type Page, test } from '@playwright/test';
import { newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { emailChangeTokenOf, resetTokenOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { enter, expectEntryEnded, newSale } from '../support/sales';
import { heading, useSession } from '../support/shop';

/** Whatever stands on the page, nobody has to scroll to the right. */
const expectWithinPage = async (page: Page) => {
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(scrollWidth).toBe(clientWidth);
};

test('[N2 N3] an address is changed by a link to the new one; the old one undoes it, and the thief is out', async ({
  page,
}) => {
  const [shopper, sale] = await Promise.all([newShopper(), newSale()]);
  const entryToken = await enter(shopper, sale.saleId);
  const signsIn = (email: string) => new Client().signIn(email, shopper.password);
  // The thief has a session and the password.
  await useSession(page.context(), { client: await signsIn(shopper.email) });
  const theirs = `e2e-${unique()}${'x'.repeat(40)}@${'y'.repeat(60)}.example.com`;
  await page.goto('/account/sign-in');
  const change = page.getByRole('button', { name: 'Change address' });
  const [address, password] = [page.getByLabel('New e-mail address'), page.getByLabel('Your password')];
  await change.click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAccessibleDescription(/^Enter an e-mail address/);
  await address.fill(theirs);
  await password.fill('not this one');
  await change.click();
  await expect(page.getByRole('alert').filter({ hasText: 'not your present password' })).toBeVisible();
  await password.fill(shopper.password);
  await change.click();
  await expect(page.getByRole('status').filter({ hasText: `on its way to ${theirs}` })).toBeVisible();
  await expectAccessible(page, 'an address was asked for');
  await expectWithinPage(page);
  await expect.poll(() => emailChangeTokenOf('confirm', theirs)).toBeTruthy();
  await expect.poll(() => emailChangeTokenOf('stop', shopper.email)).toBeTruthy();

  // A scanner of mail opens the link and presses nothing.
  const confirming = await page.context().newPage();
  await confirming.goto(`/confirm-email#${emailChangeTokenOf('confirm', theirs)}`);
  const use = confirming.getByRole('button', { name: 'Use this address' });
  await expect(use).toBeVisible();
  expect((await shopper.client.get('/api/orders')).status).toBe(200);
  await use.click();
  await expect(confirming.getByRole('status').filter({ hasText: `${theirs} now` })).toBeVisible();
  await expectAccessible(confirming, 'an address is confirmed');
  await expectWithinPage(confirming);
  await confirming.close();
  expectProblem(await shopper.client.get('/api/orders'), 401, 'UNAUTHENTICATED');
  await expectEntryEnded(sale.saleId, entryToken);
  // The page that asked learns of it without being loaded again.
  await expect(page.getByText(`${theirs} · Shopper`)).toBeVisible();
  await expectWithinPage(page);
  await signsIn(theirs);

  const stopLink = `/stop-email#${emailChangeTokenOf('stop', shopper.email)}`;
  await page.goto(stopLink);
  const stop = page.getByRole('button', { name: 'Stop the change' });
  await stop.click();
  await expect(page.getByRole('status').filter({ hasText: `address ${shopper.email}` })).toBeVisible();
  await expectAccessible(page, 'a change is undone');
  for (const email of [theirs, shopper.email])
    await expect(signsIn(email)).rejects.toThrow('could not sign in');
  await expect.poll(() => resetTokenOf(shopper.userId)).toBeTruthy();
  await page.goto('/account/sign-in');
  await expect(heading(page, 'Sign in')).toBeVisible();

  // The same link again, and none.
  await page.goto(stopLink);
  await stop.click();
  await expect(page.getByRole('alert').filter({ hasText: 'no longer valid' })).toBeVisible();
  await expectAccessible(page, 'a used link about an address');
  await page.goto('/confirm-email');
  await expect(page.getByRole('alert').filter({ hasText: 'needs the link from our mail' })).toBeVisible();
});
