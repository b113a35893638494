import { expect, type Page, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newStaff } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { newSale } from '../support/sales';
import { heading, toasts, useSession } from '../support/shop';

const switches = (page: Page) => page.getByRole('region', { name: /^In the order/ }).getByRole('listitem');
const reminders = (page: Page) => switches(page).filter({ hasText: 'Payment reminders' });

/** Answers as if the live view were off: switching it off would disturb the tests beside this one. */
const SWITCHED_OFF = {
  status: 503,
  contentType: 'application/problem+json',
  headers: { 'retry-after': '1' },
  json: { status: 503, code: 'SWITCHED_OFF', feature: 'live' },
};

/** Reminders are every test's: one that failed must not leave them off. */
test.afterEach(async () => {
  const path = '/api/admin/switchboard';
  const admin = await demoAdmin();
  const { switches } = (await admin.get(path)).body;
  type Switch = { feature: string; mode: string; version: number };
  const { mode, version } = (switches as Switch[]).find(({ feature }) => feature === 'reminders') as Switch;
  const body = { mode: 'by_load', version };
  if (mode !== 'by_load') await admin.request('PATCH', `${path}/reminders`, { body });
});

test('[J6] an operator switches a side feature off, sees who did on the live view, and takes it back', async ({
  page,
}) => {
  const [admin, sale] = await Promise.all([demoAdmin(), newSale()]);
  await useSession(page.context(), { client: admin });
  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Switchboard' }).click();
  await expect(heading(page, 'Switchboard')).toBeVisible();
  await expect(switches(page).first()).toContainText('Search and exports');
  await expect(page.getByText(/^The busiest web process works \d+% of its time\.$/)).toBeVisible();
  const one = reminders(page);
  await expect(one).toContainText('On');
  await one.getByRole('button', { name: /^Switch off/ }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('nobody is reminded to pay');
  await question.getByRole('button', { name: 'Switch off' }).click();
  await expect(one).toContainText(/Off since .*, by admin@example\.com/);
  await expectAccessible(page, 'switchboard, a feature off');

  await page.goto(`/admin/sales/${sale.saleId}`);
  await expect(page.getByText(/^Payment reminders · Off since .*, by admin@example\.com$/)).toBeVisible();
  await expectAccessible(page, 'live view, a feature off');
  await page.getByRole('link', { name: 'To the switchboard' }).click();
  await reminders(page)
    .getByRole('button', { name: /^Leave to the load/ })
    .click();
  const takeBack = toasts(page).getByRole('button', { name: 'Undo' }).last();
  await expect(takeBack).toBeVisible();
  // The toast stays while it has the focus, however long the next steps take.
  await page.keyboard.press('F8');
  await expect(reminders(page)).toContainText('Left to the load');
  await expect(reminders(page).getByText('On', { exact: true })).toBeVisible();
  await takeBack.click();
  await expect(reminders(page)).toContainText('Off since');
  await reminders(page)
    .getByRole('button', { name: /^Leave to the load/ })
    .click();
  await expect(reminders(page)).not.toContainText('Off since');
});

test('[J6] while the live view is off, a sale is still seen and paused', async ({ page }) => {
  const sale = await newSale();
  await useSession(page.context(), { client: await demoMerchant() });
  await page.route(/\/live(\/events)?(\?|$)/, (route) => route.fulfill(SWITCHED_OFF));
  await page.goto(`/admin/sales/${sale.saleId}`);
  await expect(page.getByText(/^The live view is switched off/)).toBeVisible();
  await expect(heading(page, sale.title)).toBeVisible();
  await expectAccessible(page, 'live view, switched off');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Yes, do it' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await page.unroute(/\/live(\/events)?(\?|$)/);
  await expect(page.getByRole('heading', { name: 'Orders' }).first()).toBeVisible();
});

test('[J6] auditors look and change nothing, merchants are told whom it is for', async ({ page }) => {
  await useSession(page.context(), await newStaff('auditor'));
  await page.goto('/admin/switchboard');
  await expect(switches(page).nth(10)).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await page.context().clearCookies();
  await useSession(page.context(), { client: await demoMerchant() });
  await page.goto('/admin/switchboard');
  await expect(page.getByText('This page is for operators.')).toBeVisible();
});
