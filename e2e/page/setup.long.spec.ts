import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { expectProblem } from '../support/problem';
import { heading, useSession } from '../support/shop';

test('[N1 L4] an admin sees what is missing before the shop goes live, and tries out the mail', async ({
  page,
  context,
}) => {
  const admin = await demoAdmin();
  await useSession(context, { client: admin });
  await page.goto('/admin/users');
  await page.getByRole('link', { name: 'Go live' }).click();
  await expect(heading(page, 'Go live')).toBeVisible();
  const missing = page.getByRole('region', { name: 'Missing' }).getByRole('listitem');
  await expect(missing.filter({ hasText: 'A shop of your own' })).toContainText('SECKILL_DEMO=0');
  await expect(missing.filter({ hasText: 'Payment provider' })).toContainText('moves no money');
  await expect(page.getByText(/^\d+ things are missing before this shop can go live\.$/)).toBeVisible();
  const done = page.getByRole('region', { name: 'Done' }).getByRole('listitem');
  await expect(done.filter({ hasText: 'A worker is running' })).toBeVisible();
  await page.getByRole('button', { name: 'Send me a mail' }).click();
  await expect(page.getByText('Written to a file on the server')).toContainText('admin@example.com');
  // No webhook is set.
  await expect(page.getByRole('button', { name: 'Call the webhook' })).toHaveCount(0);
  const call = await admin.post('/api/admin/setup/test', { what: 'alert_webhook' });
  expectProblem(call, 404, 'NOT_FOUND');
  await expectAccessible(page, 'go live');
  await page.goto('/zh-CN/admin/setup');
  await expect(page.getByRole('region', { name: '缺少' })).toContainText('自己的店');
  await expect(page.getByRole('main')).not.toContainText(/\b(Missing|Done|Set|Run)\b/);
});

test('[L4] nobody but an admin sees it', async ({ page, context }) => {
  await useSession(context, { client: await demoMerchant() });
  await page.goto('/admin/setup');
  await expect(page.getByText('This page is for admins.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go live' })).toHaveCount(0);
});
