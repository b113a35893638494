import { expect, type Page, test } from '@playwright/test';
import { demoAdmin, newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { expectProblem } from '../support/problem';
import { newSale } from '../support/sales';
import { clientOf } from '../support/sessions';
import { heading, toasts, useSession } from '../support/shop';

async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
}

test('[B6 L4] an admin gives an account a role, signs it out, bans it and lets it in again', async ({
  page,
}) => {
  const [shopper, admin, { saleId }] = await Promise.all([newShopper(), demoAdmin(), newSale()]);
  const { email, password } = shopper;
  let { client } = shopper;
  await useSession(page.context(), { client: admin });
  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Accounts' }).click();
  await expect(heading(page, 'Accounts')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Account' }).fill(email);
  const row = page.getByRole('row', { name: email });
  await expect(row).toContainText('Shopper');
  await expect(page).toHaveURL(/search=/);

  await row.getByRole('button', { name: `Manage ${email}` }).click();
  const form = page.getByRole('row').filter({ hasText: 'Sign out everywhere' });
  await form.getByLabel('Role').selectOption('Support');
  await act(page, 'Save');
  await expect(row).toContainText('Support');
  await expect(toasts(page)).toContainText(`${email} is now: Support`);
  // The toast stays while it has the focus, however long the next steps take.
  await page.keyboard.press('F8');
  expectProblem(await client.get('/api/orders'), 401, 'UNAUTHENTICATED');
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toasts(page)).toContainText(`${email} is now: Shopper, level`);
  await expect(row.getByRole('cell').first()).toHaveText('Shopper');
  await form.getByLabel('Role').selectOption('Support');
  await act(page, 'Save');
  await expect(row).toContainText('Support');
  client = await clientOf(email);
  expect((await client.get('/api/admin/sales')).status).toBe(200);
  expectProblem(await client.get('/api/admin/audit'), 403, 'FORBIDDEN');

  await act(page, 'Sign out everywhere');
  await expect.poll(async () => (await client.get('/api/orders')).status).toBe(401);
  client = await clientOf(email);

  const entry = await client.post(`/api/sales/${saleId}/entry`, {});
  const { entryToken } = entry.body;
  const { gate } = (await new Client().get(`/api/sales/${saleId}/state`)).body;
  await form.getByLabel('Reason for a ban').fill('resells');
  await act(page, 'Ban');
  await expect(row).toContainText('Banned');
  await expect(client.signIn(email, password)).rejects.toThrow('could not sign in');
  // The ban applies everywhere within a second, also to a token issued before.
  const headers = { 'x-entry-token': String(entryToken) };
  const buy = () => new Client().post(`/api/sales/${saleId}/purchase/${gate}`, {}, { headers });
  await expect.poll(async () => (await buy()).body.code).toBe('BLOCKED');

  await act(page, 'Let in again');
  await expect(row).not.toContainText('Banned');
  await client.signIn(email, password);
});

test('[L4] an admin keeps their own role', async ({ page }) => {
  await useSession(page.context(), { client: await demoAdmin() });
  await page.goto('/admin/users?search=admin@example.com');
  await page.getByRole('button', { name: 'Manage admin@example.com' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: 'Sign out everywhere' })
    .getByLabel('Role')
    .selectOption('Shopper');
  await act(page, 'Save');
  await expect(page.getByText("You can't do this to your own account.")).toBeVisible();
});
