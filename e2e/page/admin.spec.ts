import { expect, type Page, test } from '@playwright/test';
import { newShopper, unique } from '../support/accounts';
import { ALL_HOLD } from '../support/all-hold';
import { execute } from '../support/database';
import { listedStatusOf, newSale } from '../support/sales';
import { buyButton, buyOnPage, heading, toasts, useSession } from '../support/shop';

/** Formats a moment as a `datetime-local` field takes it; the browser runs in UTC. */
const local = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

/** Presses an action and confirms it. */
async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Yes, do it' })
    .click();
}

test('[L3 L4 C5] a merchant creates, publishes, pauses, resumes, fills up and ends a sale', async ({
  page,
  browser,
}) => {
  const name = `Hand-made ${unique()}`;
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as merchant@example.com' }).click();
  await expect(heading(page, 'Sales')).toBeVisible();

  await page.getByRole('button', { name: 'New sale' }).click();
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByText('This is needed.').first()).toBeVisible();
  await page.getByLabel('Product name').fill(name);
  await page.getByLabel('Description').fill('Made in a browser.');
  await page.getByLabel('Title of the sale').fill(name);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Flash price').fill('19.90');
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByLabel('Pieces').fill('3');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Start', { exact: true }).fill(local(Date.now() - 60_000));
  await page.getByLabel('End', { exact: true }).fill(local(Date.now() + 3_600_000));
  await page.getByRole('button', { name: 'Create draft' }).click();

  await expect(heading(page, name)).toBeVisible();
  await act(page, 'Publish');
  await expect(page.getByText(ALL_HOLD)).toBeVisible();
  const salePage = (await page.getByRole('link', { name: 'See the sale page' }).getAttribute('href')) ?? '';

  const context = await browser.newContext();
  await useSession(context, await newShopper());
  const shop = await context.newPage();
  await shop.goto(salePage);
  await expect(heading(shop, name)).toBeVisible();
  await expect(shop.getByText('€19.90').first()).toBeVisible();
  await buyOnPage(shop);
  const outsider = await browser.newContext();
  await useSession(outsider, await newShopper());
  const other = await outsider.newPage();
  await other.goto(salePage);
  await expect(buyButton(other, 'Buy now')).toBeEnabled();

  await act(page, 'Pause');
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await expect(buyButton(other, 'Paused')).toBeDisabled();
  await act(page, 'Resume');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(buyButton(other, 'Buy now')).toBeEnabled({ timeout: 150_000 });
  await act(page, 'Pause');
  const paused = toasts(page).getByRole('listitem').filter({ hasText: 'Paused. Nobody can buy now.' });
  await paused.last().getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();

  await page.getByRole('button', { name: 'Change stock' }).click();
  await page.getByLabel('Pieces to add').fill('4');
  await page.getByLabel('Reason').fill('found some more');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Total 3 becomes 7; available 2 becomes 6.')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(page.getByText('Total 7')).toBeVisible();
  const added = toasts(page).getByRole('listitem').filter({ hasText: '4 pieces added; 7 in all now.' });
  await added.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Total 3')).toBeVisible();

  await act(page, 'End the sale');
  await expect(buyButton(other, 'Ended')).toBeDisabled();
  await page.getByRole('link', { name: 'All sales' }).click();
  // Other tests' sales may fill the first page.
  await page.getByLabel('Search by title or product').fill(name);
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Closed');
  await expect.poll(() => listedStatusOf(name)).toBe('ended');
  await Promise.all([context.close(), outsider.close()]);
});

test('[L4] the admin area is closed to shoppers', async ({ page, context }) => {
  await useSession(context, await newShopper());
  await page.goto('/admin/sales');
  await expect(page.getByText('This page is for merchants.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New sale' })).toBeHidden();
});

test('[B6] the admin area says what is out of step, since when, and when it is tried again @long', async ({
  page,
}) => {
  const { slug } = await newSale();
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in as merchant@example.com' }).click();
  await expect(heading(page, 'Sales')).toBeVisible();
  await execute(
    `INSERT INTO sync_failures (kind, name, subject, since, attempts, next_try_at, error, expires_at)
     VALUES ('cdn', $1, $2, now(), 3, now() + interval '30 minutes', 'answered 500', now() + interval '1 hour')`,
    [`/sales/${slug}`, slug],
  );
  const notice = page.getByRole('status').filter({ hasText: 'Some copies are out of step' });
  await expect(notice).toContainText(`CDN: /sales/${slug}`);
  await expect(notice).toContainText(/Since .+, tried 3 times\. Next try /);
  await expect(notice).not.toContainText('answered 500');
  await execute('DELETE FROM sync_failures WHERE name = $1', [`/sales/${slug}`]);
  await expect(notice.filter({ hasText: slug })).toHaveCount(0);
});
