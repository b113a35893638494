import { expect, type Page, test } from '@playwright/test';
import { newStaff, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { execute } from '../support/database';
import { useSession } from '../support/shop';

/** Makes an admin of the test's own. */
async function newAdmin() {
  const staff = await newStaff('operator');
  await execute('UPDATE users SET role = $1 WHERE id = $2', ['admin', staff.userId]);
  return { ...staff, client: await new Client().signIn(staff.email, staff.password) };
}

/** Answers the first invitation as a shop does whose staff showed too long ago who they are: this one, a demo, never asks. */
async function asLongAfter(page: Page): Promise<string[]> {
  const sent: string[] = [];
  await page.route('**/api/admin/invitations', async (route) => {
    sent.push(route.request().postData() ?? '');
    if (sent.length > 1) return route.continue();
    return route.fulfill({ status: 403, json: { code: 'CONFIRM_AGAIN' } });
  });
  return sent;
}

for (const { language, path, words } of [
  {
    language: 'English',
    path: '',
    words: {
      email: 'E-mail address',
      send: 'Make a link',
      heading: 'Is it you?',
      password: 'Present password',
      go: 'Go on',
      cancel: 'Cancel',
      wrong: 'This is not your present password.',
      refused: 'Nothing was done: show who you are first.',
    },
  },
  {
    language: 'Chinese',
    path: '/zh-CN',
    words: {
      email: '邮箱',
      send: '生成链接',
      heading: '请确认是您本人',
      password: '当前密码',
      go: '继续',
      cancel: '取消',
      wrong: '当前密码不正确。',
      refused: '尚未执行：请先确认您的身份。',
    },
  },
])
  test(`[N5] an admin who signed in long ago shows who it is, and what was asked for is done (${language})`, async ({
    page,
  }) => {
    const admin = await newAdmin();
    await useSession(page.context(), admin);
    const sent = await asLongAfter(page);
    const email = `e2e-${unique()}@example.com`;
    await page.goto(`${path}/admin/users`);
    await page.getByLabel(words.email, { exact: true }).fill(email);
    await page.getByRole('button', { name: words.send }).click();
    const dialog = page.getByRole('alertdialog', { name: words.heading });
    await expect(dialog.getByLabel(words.password)).toBeVisible();
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

test('[N5] whoever does not show who it is has done nothing, and may try again', async ({ page }) => {
  const admin = await newAdmin();
  await useSession(page.context(), admin);
  const sent = await asLongAfter(page);
  await page.goto('/admin/users');
  await page.getByLabel('E-mail address').fill(`e2e-${unique()}@example.com`);
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Nothing was done: show who you are first.')).toBeVisible();
  expect(sent).toHaveLength(1);
  await page.getByRole('button', { name: 'Make a link' }).click();
  await expect(page.getByText('/invite#')).toBeVisible();
});
