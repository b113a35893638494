import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { execute } from '../support/database';
import { watchPolicy } from '../support/policy';
import { heading, useSession } from '../support/shop';
import { stopTokenOf } from '../support/stop-token';

test('[O7] an admin sees every mail in every language as it is sent; nothing in it runs or leads away', async ({
  page,
  context,
}) => {
  const noted = await watchPolicy(page);
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', ({ message }) => void errors.push(message));
  await useSession(context, { client: await demoAdmin() });
  await page.goto('/admin/setup');
  await page.getByRole('link', { name: 'Mails' }).click();
  await expect(heading(page, 'Mails')).toBeVisible();
  const frame = page.getByRole('main').locator('iframe');
  await expect(frame).toHaveAttribute('sandbox', '');
  const mail = page.frameLocator('iframe');
  const text = page.getByRole('main').locator('pre');
  const kinds = page.getByRole('combobox', { name: 'Mail', exact: true });
  for (const language of ['English', '中文']) {
    await page.getByRole('combobox', { name: 'Language' }).selectOption(language);
    await expect(kinds.getByRole('option', { name: language === '中文' ? /^已付款/ : /^Paid/ })).toHaveCount(
      1,
    );
    const subjects = await kinds.getByRole('option').allTextContents();
    expect(subjects.length).toBeGreaterThan(25);
    for (const subject of subjects) {
      await kinds.selectOption({ label: subject });
      await expect(mail.getByRole('heading', { level: 1 })).toHaveText(subject);
      await expect(text).not.toBeEmpty();
    }
  }
  await kinds.selectOption({ label: '已付款：极光无线耳机' });
  await expect(mail.getByRole('link', { name: '查看订单 1024', exact: true })).toBeVisible();
  await expect(text).toContainText('/zh-CN/orders/1024');
  const html = (await frame.getAttribute('srcdoc')) ?? '';
  expect(html).not.toMatch(/<(?:script|form|img|link|iframe)|src=|url\(/);
  await expectAccessible(page, 'mails');
  expect([...noted, ...errors]).toEqual([]);
});

test('[O7] nobody but an admin sees them', async ({ page, context }) => {
  await useSession(context, { client: await demoMerchant() });
  await page.goto('/admin/mails');
  await expect(page.getByText('This page is for admins.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Mails' })).toHaveCount(0);
});

for (const { path, press, topic, done, broken, noLink, account } of [
  {
    path: '',
    press: 'Stop these mails',
    topic: 'Orders to pay, and reminders',
    done: 'Stopped.',
    broken: 'This link is not complete.',
    noLink: 'This page needs the link from our mail.',
    account: 'Your account',
  },
  {
    path: '/zh-CN',
    press: '停止接收',
    topic: '待付款订单与付款提醒',
    done: '已停止',
    broken: '链接不完整',
    noLink: '请通过邮件中的链接打开本页。',
    account: '我的账号',
  },
])
  test(`[O7] a reader stops such mails by the mail's link and a press, signed out, and turns them on again (${path || 'en'})`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const shopper = await newShopper();
    const token = stopTokenOf(shopper.userId, 'reminders');
    const button = page.getByRole('button', { name: press });
    const alert = page.getByRole('main').getByRole('alert');
    const muted = async () => (await shopper.client.get('/api/account/mails')).body.muted;

    await page.goto(`${path}/stop-mails`);
    await expect(alert).toContainText(noLink);
    await page.goto(`${path}/stop-mails?cut#${token.slice(0, -3)}`);
    await button.click();
    await expect(alert).toContainText(broken);

    await page.goto(`${path}/stop-mails#${token}`);
    await expect(page.getByRole('main')).toContainText(topic);
    expect(await muted()).toEqual([]);
    await expectAccessible(page, 'stop mails');
    await button.click();
    await expect(page.getByRole('main').getByRole('status')).toContainText(done);
    expect(await muted()).toEqual(['reminders']);

    await useSession(context, shopper);
    const room = await page.getByRole('main').getByRole('link', { name: account }).getAttribute('href');
    await page.goto(room ?? '');
    const wanted = page.getByRole('checkbox', { name: topic });
    await expect(wanted).not.toBeChecked();
    // `check` fails if the box shows its new state a moment after the click.
    await wanted.click();
    await expect(wanted).toBeChecked();
    await expect.poll(muted).toEqual([]);
  });

for (const { path, refused } of [
  { path: '', refused: /^Mails to your address have come back since .*Sign-in and security/ },
  { path: '/zh-CN', refused: /发往您邮箱的邮件均被退回/ },
])
  test(`[O7] an account reads that mails to its address come back, and no longer once one arrived (${path || 'en'})`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const shopper = await newShopper();
    const set = (value: string) =>
      execute(`UPDATE users SET mail_refused_at = ${value} WHERE id = $1`, [shopper.userId]);
    await set(`now() - interval '1 day'`);
    await useSession(context, shopper);
    await page.goto(`${path}/account/language`);
    const warning = page.getByRole('main').getByText(refused);
    await expect(warning).toBeVisible();
    await expectAccessible(page, 'mails that come back');
    await set('NULL');
    await page.reload();
    await expect(page.getByRole('main').getByRole('checkbox').first()).toBeVisible();
    await expect(warning).toHaveCount(0);
  });
