import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper } from '../support/accounts';
import { execute } from '../support/database';
import { verificationOf } from '../support/mails';
import { newSale } from '../support/sales';
import { heading, toasts, useSession } from '../support/shop';

test('[G8 L4] an operator blocks an account, finds it, lifts it, and takes a list over from a file', async ({
  page,
}) => {
  const [shopper, admin] = await Promise.all([newShopper(), demoAdmin()]);
  await useSession(page.context(), { client: admin });
  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Blocklist' }).click();
  await expect(heading(page, 'Blocklist')).toBeVisible();
  const list = page.getByRole('region', { name: 'Who is blocked' });

  await page.getByLabel('Which one').fill('nobody@example.com');
  await page.getByLabel('Reason').fill('buys with twenty accounts');
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(page.getByText('there is no such account')).toBeVisible();
  await page.getByLabel('Which one').fill(shopper.email);
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(toasts(page)).toContainText(`${shopper.email} is blocked.`);

  await list.getByLabel('Account, address or device').fill(shopper.userId);
  const row = list.getByRole('row', { name: shopper.email });
  await expect(row).toContainText('buys with twenty accounts');
  await expect(page).toHaveURL(new RegExp(`value=${shopper.userId}`));
  await page.reload();
  await expect(row).toBeVisible();
  const ends = await row.getByRole('cell').nth(3).textContent();
  await row.getByRole('button', { name: 'Lift' }).click();
  await page.getByRole('button', { name: 'Yes, lift it' }).click();
  await expect(list.getByText('Nobody is on the list.')).toBeVisible();
  await toasts(page)
    .getByRole('listitem')
    .filter({ hasText: `${shopper.email} can enter and buy again.` })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(toasts(page)).toContainText(`${shopper.email} is blocked again.`);
  await expect(row).toContainText('buys with twenty accounts');
  expect(await row.getByRole('cell').nth(3).textContent()).toBe(ends);
  await row.getByRole('button', { name: 'Lift' }).click();
  await page.getByRole('button', { name: 'Yes, lift it' }).click();
  await expect(list.getByText('Nobody is on the list.')).toBeVisible();
  await list.getByLabel('Show').selectOption('all');
  await expect(row).toHaveCount(2);
  await expect(row.first()).toContainText('Lifted');

  const csv = `kind,value,reason,expires_at\nuser,${shopper.userId},from a file,2090-01-01\nip,nonsense,x,\n`;
  await page
    .getByLabel('Import a file')
    .setInputFiles({ name: 'b.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(page.getByText('1 line was taken over.')).toBeVisible();
  await expect(page.getByText('Line 3: this is no address or network')).toBeVisible();
  await expect(row.filter({ hasText: 'from a file' })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export the list' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('blocks.csv');
});

test('[G8] merchants are told that the list is not theirs', async ({ page }) => {
  await useSession(page.context(), { client: await demoMerchant() });
  await page.goto('/admin/blocks');
  await expect(page.getByText('This page is for operators.')).toBeVisible();
  await page.goto('/admin/sales');
  await expect(page.getByRole('button', { name: 'New sale' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Blocklist' })).toHaveCount(0);
});

test('[G6 P10] a shopper is told to verify the address, does so by the mail, and can buy', async ({
  page,
}) => {
  const [shopper, sale] = await Promise.all([newShopper(), newSale({ requireVerifiedEmail: true })]);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${sale.slug}`);
  await expect(page.getByText('For accounts with a verified e-mail address')).toBeVisible();
  await page.getByRole('link', { name: 'Verify yours' }).click();
  await page.getByRole('button', { name: 'Send me the mail' }).click();
  await expect.poll(() => verificationOf(shopper.userId)).toBeTruthy();
  await page.goto('about:blank');
  await page.goto(`/verify-email#${verificationOf(shopper.userId)}`);
  // A scanner of mail opens the page, too. Only the press verifies.
  const verify = page.getByRole('button', { name: 'Verify my address' });
  await expect(verify).toBeVisible();
  expect(await execute('SELECT email_verified_at FROM users WHERE id = $1', [shopper.userId])).toEqual([
    { email_verified_at: null },
  ]);
  await verify.click();
  await expect(page.getByText('Your e-mail address is verified.')).toBeVisible();
  await page.goto(`/sales/${sale.slug}`);
  await expect(page.getByRole('button', { name: 'Buy now' })).toBeVisible();
});
