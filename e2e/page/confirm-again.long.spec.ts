import { expect, type Page, test } from '@playwright/test';
import { newStaff, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { execute } from '../support/database';
import { useSession } from '../support/shop';

/** Makes an admin of the test's own. */
async function newAdmin() {
  const staff = await newStaff('operator');
  await execute("UPDATE users SET role = 'admin' WHERE id = $1", [staff.userId]);
  return { ...staff, client: await new Client().signIn(staff.email, staff.password) };
}

/** Answers the first invitation as a shop does where staff signed in long ago: this one, a demo, never asks again. */
async function asLongAfter(page: Page): Promise<string[]> {
  const sent: string[] = [];
  await page.route('**/api/admin/invitations', async (route) => {
    sent.push(route.request().postData() ?? '');
    if (sent.length > 1) return route.continue();
    return route.fulfill({ status: 403, json: { code: 'CONFIRM_AGAIN' } });
  });
  return sent;
}

const ENGLISH = {
  path: '',
  email: 'E-mail address',
  send: 'Make a link',
  heading: 'Is it you?',
  password: 'Your password',
  go: 'Go on',
  wrong: 'This is not your present password.',
};
const CHINESE: typeof ENGLISH = {
  path: '/zh-CN',
  email: '邮箱',
  send: '生成链接',
  heading: '请确认是您本人',
  password: '您的密码',
  go: '继续',
  wrong: '当前密码不正确。',
};

for (const [language, words] of [
  ['English', ENGLISH],
  ['Chinese', CHINESE],
] as const)
  test(`[N5 I3] an admin who signed in long ago shows who it is, and what was asked for is done (${language})`, async ({
    page,
  }) => {
    const admin = await newAdmin();
    await useSession(page.context(), admin);
    const sent = await asLongAfter(page);
    await page.goto(`${words.path}/admin/users`);
    await page.getByLabel(words.email, { exact: true }).fill(`e2e-${unique()}@example.com`);
    await page.getByRole('button', { name: words.send }).click();
    const dialog = page.getByRole('alertdialog', { name: words.heading });
    await expect(dialog.getByLabel(words.password)).toBeFocused();
    await expectAccessible(page, 'asked again');
    await dialog.getByLabel(words.password).fill('a guess');
    await dialog.getByRole('button', { name: words.go }).click();
    await expect(dialog.getByText(words.wrong)).toBeVisible();
    await dialog.getByLabel(words.password).fill(admin.password);
    await dialog.getByRole('button', { name: words.go }).click();
    await expect(page.getByText('/invite#')).toBeVisible();
    await expect(dialog).toHaveCount(0);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
  });

test('[N5] an admin who does not show who it is has done nothing, and may try again', async ({ page }) => {
  const admin = await newAdmin();
  await useSession(page.context(), admin);
  const sent = await asLongAfter(page);
  await page.goto('/admin/users');
  await page.getByLabel(ENGLISH.email, { exact: true }).fill(`e2e-${unique()}@example.com`);
  await page.getByRole('button', { name: ENGLISH.send }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Nothing was done: show first who you are.')).toBeVisible();
  expect(sent).toHaveLength(1);
  await page.getByRole('button', { name: ENGLISH.send }).click();
  await expect(page.getByText('/invite#')).toBeVisible();
});

/** Changes the answers of a page's own requests, as a shop outside the demo would give them. */
const change = (page: Page, address: string, changed: (body: Record<string, unknown>) => unknown) =>
  page.route(address, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: changed(await response.json()) });
  });

test('[N5] staff without a second factor are told the one thing to do', async ({ page }) => {
  const staff = await newStaff('operator');
  await useSession(page.context(), staff);
  await change(page, '**/api/visit*', (visit) => ({
    ...visit,
    user: { ...(visit.user as object), needsFactor: true },
  }));
  await page.goto('/admin/orders');
  await expect(page.getByRole('heading', { name: 'One thing before the admin area' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Admin', exact: true })).toHaveCount(0);
  await expectAccessible(page, 'admin area without a second factor');
  await page.getByRole('link', { name: 'Add one now' }).click();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('[N5] a file is downloaded once its reader has shown who it is', async ({ page }) => {
  const admin = await newAdmin();
  await useSession(page.context(), admin);
  await change(page, '**/api/account/factors', (factors) => ({ ...factors, mustConfirm: true }));
  await page.goto('/admin/orders');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const dialog = page.getByRole('alertdialog', { name: ENGLISH.heading });
  await dialog.getByLabel(ENGLISH.password).fill(admin.password);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: ENGLISH.go }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
