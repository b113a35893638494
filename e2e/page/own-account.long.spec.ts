import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { expectBalanced } from '../support/commands';
import { expectProblem } from '../support/problem';
import { buy, expectOrder, newSale, pay } from '../support/sales';
import { newShopperWithApp } from '../support/second-factor';
import { clientOf } from '../support/sessions';
import { heading, useSession } from '../support/shop';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
const WORDS = [
  {
    language: 'English',
    path: '',
    viewport: PHONE,
    download: 'Download my data',
    isThere: /my-data\.zip/,
    first: 'Do this first:',
    again: 'Check again',
    place: /waitlist/,
    password: 'Your password',
    missing: 'Enter your password.',
    wrong: 'This is not your present password.',
    remove: 'Delete my account',
    dialog: 'Delete your account?',
    keep: 'Keep it',
    gone: 'Your account is deleted',
  },
  {
    language: 'Chinese',
    path: '/zh-CN',
    viewport: DESKTOP,
    download: '下载我的数据',
    isThere: /my-data\.zip/,
    first: '请先完成：',
    again: '重新检查',
    place: /候补/,
    password: '您的密码',
    missing: '请输入密码。',
    wrong: '当前密码不正确。',
    remove: '注销我的账号',
    dialog: '要注销账号吗？',
    keep: '保留账号',
    gone: '账号已注销',
  },
];

/** Makes a shopper with a paid order, one that waits for payment, and a place on a waitlist. */
async function busyShopper() {
  const [shopper, other, sale, soldOut] = await Promise.all([
    newShopper(),
    newShopper(),
    newSale({ limitPerUser: 2, title: 'Lamp' }),
    newSale({ totalStock: 1, waitlist: true, title: 'Lantern' }),
  ]);
  const paid = await buy(shopper, sale.saleId);
  await pay(shopper, paid);
  await expectOrder(shopper, paid, 'paid');
  const unpaid = await buy(shopper, sale.saleId);
  await expectOrder(shopper, unpaid, 'pending_payment');
  await buy(other, soldOut.saleId);
  const { entryToken } = (await shopper.client.post(`/api/sales/${soldOut.saleId}/entry`)).body;
  const headers = { 'x-entry-token': String(entryToken) };
  const joined = await shopper.client.post(`/api/sales/${soldOut.saleId}/waitlist`, undefined, { headers });
  expect(joined.status, joined.text).toBeLessThan(300);
  return { shopper, sale, paid, unpaid };
}

for (const words of WORDS)
  test(`[N2 N3 C6] a shopper downloads their data and deletes the account; verify stays green (${words.language})`, async ({
    page,
  }) => {
    await page.setViewportSize(words.viewport);
    const { shopper, sale, paid, unpaid } = await busyShopper();
    await useSession(page.context(), shopper);
    await page.goto(`${words.path}/account/data`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: words.download }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('my-data.zip');
    await expect(page.getByRole('status').filter({ hasText: words.isThere })).toBeVisible();
    const files = unzipSync(readFileSync(await download.path()));
    const rowsOf = (name: string) => JSON.parse(strFromU8(files[`${name}.json`] as Uint8Array));
    expect(rowsOf('account')).toMatchObject([{ email: shopper.email }]);
    expect(rowsOf('orders')).toMatchObject([{ orderNo: paid, status: 'paid' }, { orderNo: unpaid }]);
    expect(rowsOf('waitlists')).toMatchObject([{ sale: 'Lantern', leftAt: null }]);

    // The page says what is in the way before it asks for anything, and leads to where that is settled.
    await expect(page.getByText(words.first)).toBeVisible();
    await expect(page.getByRole('main').locator(`a[href$="/orders/${unpaid}"]`)).toBeVisible();
    const remove = page.getByRole('button', { name: words.remove });
    await expect(remove).toHaveCount(0);
    await expectAccessible(page, 'account with an unpaid order');
    await page.setViewportSize(words.viewport);
    expect((await shopper.client.post(`/api/orders/${unpaid}/cancel`)).status).toBe(200);
    await page.getByRole('button', { name: words.again }).click();
    await expect(page.getByText(words.first)).toHaveCount(0);
    await expect(page.locator('#delete').locator('..').locator(':focus')).toHaveCount(1);
    await expect(page.getByRole('listitem').filter({ hasText: 'Lantern' })).toHaveText(words.place);

    const dialog = page.getByRole('alertdialog', { name: words.dialog });
    const password = page.getByLabel(words.password);
    await remove.click();
    await expect(password).toBeFocused();
    await expect(password).toHaveAccessibleDescription(words.missing);
    await password.fill('not this one');
    await password.press('Enter');
    await expect(dialog.getByRole('button', { name: words.keep })).toBeFocused();
    await expectAccessible(page, 'dialog before the deletion');
    await page.setViewportSize(words.viewport);
    await dialog.getByRole('button', { name: words.remove }).click();
    await expect(page.getByRole('alert').filter({ hasText: words.wrong })).toBeVisible();
    await expectAccessible(page, 'account that is not deleted');
    await page.setViewportSize(words.viewport);
    await password.fill(shopper.password);
    await remove.click();
    await dialog.getByRole('button', { name: words.remove }).click();
    await expect(heading(page, words.gone)).toBeVisible();
    await expect(page.locator(':focus').getByRole('heading', { name: words.gone })).toBeVisible();
    await expectAccessible(page, 'account that is deleted');

    expectProblem(await shopper.client.get('/api/orders'), 401, 'UNAUTHENTICATED');
    await expect(new Client().signIn(shopper.email, shopper.password)).rejects.toThrow('could not sign in');
    const again = { email: shopper.email, password: `a start ${unique()}`, name: 'Ann' };
    expect((await new Client().post('/api/register', again)).status).toBe(201);
    await expectBalanced(sale.saleId);
  });

test('[N2 N5] an account with two-step sign-in is deleted with a code, too', async ({ page }) => {
  const shopper = await newShopperWithApp();
  await useSession(page.context(), shopper);
  await page.goto('/account/data');
  const section = page.getByRole('region', { name: 'Delete your account' });
  const remove = section.getByRole('button', { name: 'Delete my account' });
  await section.getByLabel('Your password').fill(shopper.password);
  await remove.click();
  const code = section.getByLabel('Code', { exact: true });
  await expect(code).toBeFocused();
  await expect(code).toHaveAccessibleDescription(/Enter the six digits of your app, or a recovery code\./);
  const press = async (text: string) => {
    await code.fill(text);
    await remove.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete my account' }).click();
  };
  await press('no code');
  await expect(section.getByRole('alert')).toBeVisible();
  await press(shopper.recoveryCodes[0] as string);
  await expect(heading(page, 'Your account is deleted')).toBeVisible();
});

test('[N2] a demo account says at once that it stays; a look that fails can be repeated, and a fourth file is refused with its wait', async ({
  page,
}) => {
  await useSession(page.context(), { client: await clientOf('shopper5@example.com') });
  await page.goto('/account/data');
  await expect(page.getByText("They can't be deleted.")).toBeVisible();
  await expect(page.getByLabel('Your password')).toHaveCount(0);

  await useSession(page.context(), await newShopper());
  const json = { code: 'FORBIDDEN' };
  await page.route('**/api/account/deletion', (route) => route.fulfill({ status: 403, json }), { times: 1 });
  const tooMany = { code: 'RATE_LIMITED', retryAfterMs: 86_400_000 };
  await page.route('**/api/account/export', (route) => route.fulfill({ status: 429, json: tooMany }));
  await page.goto('/account/data');
  const section = page.getByRole('region', { name: 'Delete your account' });
  await expect(section.getByRole('alert')).toBeVisible();
  await section.getByRole('button', { name: 'Try again' }).click();
  await expect(section.getByLabel('Your password')).toBeVisible();
  const data = page.getByRole('region', { name: 'Your data' });
  await data.getByRole('button', { name: 'Download my data' }).click();
  await expect(data.getByRole('alert')).toContainText('You can download your data again in');
  await expect(data.getByRole('button', { name: 'Download my data' })).toBeDisabled();
});
