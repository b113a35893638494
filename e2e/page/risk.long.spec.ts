import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper, unique } from '../support/accounts';
import { execute } from '../support/database';
import { newSale } from '../support/sales';
import { heading, toasts, useSession } from '../support/shop';

/**
 * Writes a rule's hit with its block, as if the rule had found the shopper; an enabled rule would hit other tests'
 * shoppers too.
 */
async function putHit(ruleId: string, userId: string, saleId: string): Promise<void> {
  await execute(
    `INSERT INTO blocks (kind, value, reason, blocked_by, expires_at)
     VALUES ('user', $1, 'by a test', $2, now() + interval '10 minutes')`,
    [userId, `rule:${ruleId}`],
  );
  await execute(
    `INSERT INTO risk_hits (rule_id, rule_version, kind, value, period, counters, action, dry_run, sale_id, expires_at)
     VALUES ($1, 1, 'user', $2, 1, $3, $4, false, $5, now() + interval '10 minutes')`,
    [
      ruleId,
      userId,
      JSON.stringify({ count: 81, threshold: 80, windowSec: 62 }),
      JSON.stringify({ kind: 'block', forSec: 600 }),
      saleId,
    ],
  );
}

test('[G11] an operator makes a rule, tries it, turns it on, and two who edit it see both versions', async ({
  page,
  context,
}) => {
  await useSession(context, { client: await demoAdmin() });
  const name = `Hammering ${unique()}`;
  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Risk' }).click();
  await expect(heading(page, 'Risk')).toBeVisible();
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('What is counted').selectOption('purchase_refusals');
  await page.getByLabel('Within').fill('2');
  await page.getByLabel('How many').fill('nonsense');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('A whole number from 0')).toBeVisible();
  await page.getByLabel('How many').fill('500000');
  await page.getByLabel('What is done').selectOption('block');
  await expect(
    page.getByText(
      'More than 500,000 refused purchase requests by one account within 2 hours: the account is blocked for 1 hour.',
    ),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Try on the last 24 hours' }).click();
  await expect(page.getByText('It would have hit nobody within the last 24 hours.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(`“${name}” is saved.`)).toBeVisible();

  const rule = page.getByRole('listitem').filter({ hasText: name });
  await expect(rule.getByRole('button', { name: 'Dry run' })).toHaveAttribute('aria-pressed', 'true');
  await rule.getByRole('button', { name: 'On', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, turn it on' }).click();
  await expect(rule.getByRole('button', { name: 'On', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await rule.getByRole('button', { name: 'Off', exact: true }).click();
  await expect(rule.getByRole('button', { name: 'Off', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  const off = toasts(page).getByRole('listitem').filter({ hasText: 'The rule is off.' });
  await off.getByRole('button', { name: 'Undo' }).click();
  await expect(rule.getByRole('button', { name: 'On', exact: true })).toHaveAttribute('aria-pressed', 'true');

  await rule.getByRole('button', { name: 'Edit' }).click();
  const other = await context.newPage();
  await other.goto('/admin/risk');
  await other.getByRole('button', { name: `Edit “${name}”` }).click();
  await other.getByLabel('How many').fill('600000');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByText(`“${name}” is saved.`)).toBeVisible();
  await page.getByLabel('How many').fill('700000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const both = page.getByRole('row', { name: /What it does/ });
  await expect(both).toContainText('700,000');
  await expect(both).toContainText('600,000');
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(rule).toContainText('More than 700,000');

  await rule.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Yes, delete it' }).click();
  await expect(rule).toHaveCount(0);
});

test('[G12] a hit is explained and released with one click', async ({ page, context }) => {
  const [shopper, admin, { saleId }] = await Promise.all([newShopper(), demoAdmin(), newSale()]);
  const definition = {
    metric: 'purchase_refusals',
    subject: 'user',
    windowSec: 62,
    comparison: 'above',
    threshold: 80,
    action: { kind: 'block', forSec: 600 },
  };
  const name = `Refused ${unique()}`;
  const rule = await admin.post('/api/admin/risk/rules', { name, definition, state: 'disabled' });
  expect(rule.status, rule.text).toBe(201);
  const ruleId = String(rule.body.ruleId);
  await putHit(ruleId, shopper.userId, saleId);
  const entry = async () => (await shopper.client.post(`/api/sales/${saleId}/entry`)).status;
  await expect.poll(entry, { timeout: 150_000 }).toBe(403);

  await useSession(context, { client: admin });
  await page.goto(`/admin/risk?value=${shopper.userId}&ruleId=${ruleId}`);
  const hit = page.getByRole('row', { name: shopper.email });
  await expect(hit).toContainText('81 refused purchase requests within 62 seconds; 80 are allowed.');
  await expect(hit).toContainText('the account is blocked for 10 minutes.');
  await hit.getByRole('button', { name: 'Release' }).click();
  await expect(toasts(page)).toContainText(`The block of ${shopper.email} is lifted`);
  // The toast stays while it has the focus, however long the next steps take.
  await page.keyboard.press('F8');
  await expect(hit).toContainText('Released');
  await expect.poll(entry, { timeout: 150_000 }).toBe(200);
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toasts(page)).toContainText(`${shopper.email} is blocked again.`);
  await expect.poll(entry, { timeout: 150_000 }).toBe(403);
  await hit.getByRole('link', { name: 'To the block' }).click();
  const blocks = page.getByRole('row', { name: shopper.email });
  await expect(blocks).toHaveCount(2);
  await expect(blocks.first()).toContainText(name);
  await expect(blocks.last()).toContainText('Lifted');
});

test('[L4] merchants are told that the risk page is not theirs', async ({ page, context }) => {
  await useSession(context, { client: await demoMerchant() });
  await page.goto('/admin/risk');
  await expect(page.getByText('This page is for operators.')).toBeVisible();
});
