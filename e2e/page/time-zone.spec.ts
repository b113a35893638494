import { expect, test } from '@playwright/test';
import { demoMerchant, unique } from '../support/accounts';
import { useSession } from '../support/shop';

test.use({ timezoneId: 'Europe/Berlin' });

test('[L3] a sale across the night in which clocks are put back says which of the two hours it means', async ({
  page,
}) => {
  await useSession(page.context(), { client: await demoMerchant() });
  await page.goto('/admin/sales');
  await page.getByRole('button', { name: 'New sale' }).click();
  const name = `Night ${unique()}`;
  await page.getByLabel('Product name').fill(name);
  await page.getByLabel('Title of the sale').fill(name);
  for (const _ of ['price', 'when']) await page.getByRole('button', { name: 'Next' }).click();
  const timeline = page.getByRole('region', { name: 'How the sale goes' });
  await page.getByLabel('Start', { exact: true }).fill('2027-10-30T22:00');
  await page.getByLabel('End', { exact: true }).fill('2027-10-30T23:00');
  await expect(timeline).toContainText('Times are in your time zone, Europe/Berlin.');
  await expect(timeline).not.toContainText('Clocks are put forward or back');
  await expect(timeline).not.toContainText('GMT');

  // At three the clocks go back an hour, so half past two occurs twice.
  await page.getByLabel('End', { exact: true }).fill('2027-10-31T03:30');
  await expect(timeline).toContainText('Clocks are put forward or back');
  const at = (phase: string) => timeline.getByRole('listitem').filter({ hasText: phase }).getByRole('time');
  await expect(at('The sale starts')).toHaveText('Sat, Oct 30, 2027, 10:00 PM GMT+2');
  await expect(at('The sale ends')).toHaveText('Sun, Oct 31, 2027, 03:30 AM GMT+1');
  await expect(at('The sale ends')).toHaveAttribute('datetime', '2027-10-31T02:30:00.000Z');
});
