import { expect, test } from '@playwright/test';
import { ALERT_RULE_IDS } from '../../lib/contract/words/alert';
import { demoAdmin, demoMerchant, unique } from '../support/accounts';
import { execute } from '../support/database';
import { heading, useSession } from '../support/shop';

/** A round comes every 15 s and the page polls every 5 s; the rest of the time is for a busy machine. */
const A_ROUND = { timeout: 150_000 };

test('[J1] a dead letter raises an alert; an operator acknowledges it with a note', async ({ page }) => {
  const consumer = `e2e-${unique()}`;
  await execute(
    `INSERT INTO dead_letters (consumer, message_id, payload, error) VALUES ($1, $1, '{}', 'made by a test')`,
    [consumer],
  );
  await useSession(page.context(), { client: await demoAdmin() });
  try {
    await page.goto('/admin/alerts?rule=dead_letters');
    await expect(heading(page, 'Alerts')).toBeVisible();
    const list = page.getByRole('region', { name: 'Alerts' });
    await expect(list.getByLabel('Rule')).toHaveValue('dead_letters');
    const alert = list.getByRole('listitem').filter({ hasText: consumer });
    await expect(alert).toContainText('Firing', A_ROUND);
    await expect(alert).toContainText('Now1');
    await alert.getByLabel('Note').fill('looking into it');
    await alert.getByRole('button', { name: 'Acknowledge' }).click();
    await expect(alert).toContainText('Acknowledged by admin@example.com');
    await expect(alert).toContainText('looking into it');
    await expect(alert.getByRole('button')).toHaveCount(0);
    await list.getByLabel('Show').selectOption('resolved');
    await expect(page).toHaveURL(/state=resolved/);
    await expect(alert).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Rules' }).getByRole('listitem')).toHaveCount(
      ALERT_RULE_IDS.length,
    );
  } finally {
    await execute(
      `UPDATE dead_letters SET resolved_at = now(), resolution = 'discarded: test' WHERE consumer = $1`,
      [consumer],
    );
  }
});

test('[J1] merchants see their alerts and no rules', async ({ page }) => {
  await useSession(page.context(), { client: await demoMerchant() });
  await page.goto('/admin/alerts');
  await expect(page.getByRole('region', { name: 'Alerts' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Rules' })).toHaveCount(0);
});
