import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { demoAdmin, newShopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { BOTH_LOOKS } from '../support/both-looks';
import { Client } from '../support/client';
import { expectBalanced } from '../support/commands';
import { emailChangeTokensOf, resetTokenOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { buy, expectOrder, newSale, pay } from '../support/sales';
import { heading, useSession } from '../support/shop';

const CHANGE = {
  English: {
    change: 'Change address',
    newEmail: 'New e-mail address',
    password: 'Your password',
    sent: (email: string) => `on its way to ${email}`,
    confirm: 'Use this address',
    stop: 'Stop the change',
    used: /This link was used/,
  },
  Chinese: {
    change: '更换邮箱',
    newEmail: '新邮箱',
    password: '您的密码',
    sent: (email: string) => `邮件已发往 ${email}`,
    confirm: '使用此邮箱',
    stop: '阻止更换',
    used: /该链接已使用/,
  },
};
const DELETION = {
  English: {
    download: 'Download my data',
    remove: 'Delete my account',
    dialog: 'Delete your account?',
    password: 'Password, to delete the account',
    missing: 'Enter your password.',
    keep: 'Keep it',
    open: 'wait for payment',
    signIn: 'Sign in',
  },
  Chinese: {
    download: '下载我的数据',
    remove: '注销我的账号',
    dialog: '要注销账号吗？',
    password: '密码（注销用）',
    missing: '请输入密码。',
    keep: '保留账号',
    open: '您有待付款的订单',
    signIn: '登录',
  },
};

for (const { language, path, viewport } of BOTH_LOOKS)
  test(`[N2 N3] an e-mail change can't take an account over: the old address undoes it, and the thief is out (${language})`, async ({
    page,
  }) => {
    const words = CHANGE[language];
    await page.setViewportSize(viewport);
    const shopper = await newShopper();
    // The thief has a session and the password.
    const thief = await new Client().signIn(shopper.email, shopper.password);
    await useSession(page.context(), { client: thief });
    const theirs = `e2e-${unique()}@example.com`;
    await page.goto(`${path}/account`);
    await page.getByRole('button', { name: words.change }).click();
    await expect(page.getByLabel(words.newEmail)).toBeFocused();
    await page.getByLabel(words.newEmail).fill(theirs);
    await page.getByLabel(words.password).fill(shopper.password);
    await page.getByRole('button', { name: words.change }).click();
    await expect(page.getByRole('status').filter({ hasText: words.sent(theirs) })).toBeVisible();

    const tokens = () => emailChangeTokensOf(shopper.email, theirs);
    await expect.poll(() => Object.values(tokens()).every(Boolean), { timeout: 150_000 }).toBe(true);
    const { confirm, stop } = tokens();
    // A scanner of mail opens the link and presses nothing.
    await page.goto(`${path}/confirm-email#${confirm}`);
    await expect(page.getByRole('button', { name: words.confirm })).toBeVisible();
    await new Client().signIn(shopper.email, shopper.password);
    await page.getByRole('button', { name: words.confirm }).click();
    await expect(page.getByRole('status').filter({ hasText: theirs })).toBeVisible();
    await expectAccessible(page, 'address confirmed');
    expectProblem(await shopper.client.get('/api/orders'), 401, 'UNAUTHENTICATED');
    await new Client().signIn(theirs, shopper.password);

    await page.context().clearCookies();
    await page.goto(`${path}/stop-email#${stop}`);
    await page.getByRole('button', { name: words.stop }).click();
    await expect(page.getByRole('status').filter({ hasText: shopper.email })).toBeVisible();
    await expectAccessible(page, 'address stopped');
    expectProblem(await thief.get('/api/orders'), 401, 'UNAUTHENTICATED');
    for (const email of [theirs, shopper.email])
      await expect(new Client().signIn(email, shopper.password)).rejects.toThrow('could not sign in');
    await expect.poll(() => resetTokenOf(shopper.userId), { timeout: 150_000 }).toBeTruthy();
    const reset = { token: resetTokenOf(shopper.userId), newPassword: 'mine for good' };
    expect((await new Client().post('/api/password/reset', reset)).body).toEqual({ email: shopper.email });
    await new Client().signIn(shopper.email, 'mine for good');
    await page.goto('about:blank');
    await page.goto(`${path}/stop-email#${stop}`);
    await page.getByRole('button', { name: words.stop }).click();
    await expect(page.getByRole('alert').filter({ hasText: words.used })).toBeVisible();
  });

for (const { language, path, viewport } of BOTH_LOOKS)
  test(`[N2 C6] a shopper takes their data away and deletes the account: verify stays green, the audit chain whole, the address is free (${language})`, async ({
    page,
  }) => {
    const words = DELETION[language];
    await page.setViewportSize(viewport);
    const [shopper, sale] = await Promise.all([newShopper(), newSale({ limitPerUser: 2 })]);
    const paid = await buy(shopper, sale.saleId);
    await pay(shopper, paid);
    await expectOrder(shopper, paid, 'paid');
    const unpaid = await buy(shopper, sale.saleId);
    await useSession(page.context(), shopper);
    await page.goto(`${path}/account`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: words.download }).click(),
    ]);
    const { data } = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(data.account).toMatchObject([{ email: shopper.email }]);
    expect(data.orders).toMatchObject([{ orderNo: paid, status: 'paid' }, { orderNo: unpaid }]);

    const remove = page.getByRole('button', { name: words.remove });
    const dialog = page.getByRole('alertdialog', { name: words.dialog });
    const password = page.getByLabel(words.password);
    await remove.click();
    await expect(password).toBeFocused();
    await expect(password).toHaveAccessibleDescription(words.missing);
    await password.fill(shopper.password);
    await password.press('Enter');
    await expect(dialog.getByRole('button', { name: words.keep })).toBeFocused();
    await dialog.getByRole('button', { name: words.remove }).click();
    await expect(page.getByRole('alert').filter({ hasText: words.open })).toBeVisible();
    await expectAccessible(page, 'account with an obstacle');

    expect((await shopper.client.post(`/api/orders/${unpaid}/cancel`)).status).toBe(200);
    await remove.click();
    await dialog.getByRole('button', { name: words.remove }).click();
    await expect(heading(page, words.signIn)).toBeVisible();
    expectProblem(await shopper.client.get('/api/orders'), 401, 'UNAUTHENTICATED');
    await expect(new Client().signIn(shopper.email, shopper.password)).rejects.toThrow('could not sign in');
    const again = { email: shopper.email, password: 'a new start', name: 'Ann' };
    expect((await new Client().post('/api/register', again)).status).toBe(201);
    await expectBalanced(sale.saleId);
    const admin = await demoAdmin();
    expect((await admin.get('/api/admin/audit/verification')).body).toMatchObject({ ok: true });
    const { entries } = (await admin.get(`/api/admin/audit?subjectId=${shopper.userId}`)).body;
    expect(entries).toContainEqual(expect.objectContaining({ action: 'user.delete' }));
  });
