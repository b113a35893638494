import { expect, test } from '@playwright/test';
import { demoAdmin, newShopper } from '../support/accounts';
import { BOTH_LOOKS } from '../support/both-looks';
import { heading, useSession } from '../support/shop';
import { stopTokenOf } from '../support/stop-token';

const WORDS = {
  English: {
    mails: 'Mails',
    mail: 'Mail',
    language: 'Language',
    kind: 'Reminder to pay',
    subject: 'Ждёт оплаты: Лампа',
    button: 'Открыть заказ',
    other: 'Русский',
    press: 'Stop these mails',
    topic: 'Reminders to pay',
    done: 'Stopped. You can change this in your account.',
    broken: /This link is not complete/,
    noLink: 'Open this page by the link in a mail.',
    account: 'To your account',
  },
  Chinese: {
    mails: '邮件',
    mail: '邮件',
    language: '语言',
    kind: '付款提醒',
    subject: 'Still to be paid: Lamp',
    button: 'See the order',
    other: 'English',
    press: '停止接收',
    topic: '付款提醒',
    done: '已停止。您可以在账号页面更改。',
    broken: /链接不完整/,
    noLink: '请通过邮件中的链接打开此页面。',
    account: '前往账号页面',
  },
};

for (const { language, path, viewport } of BOTH_LOOKS) {
  const words = WORDS[language];

  test(`[O7] an admin sees every mail in every language before it is sent (${language})`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await useSession(page.context(), { client: await demoAdmin() });
    await page.goto(`${path}/admin/mails`);
    await expect(heading(page, words.mails)).toBeVisible();
    await page.getByRole('combobox', { name: words.mail, exact: true }).selectOption(words.kind);
    await page.getByRole('combobox', { name: words.language, exact: true }).selectOption(words.other);
    const mail = page.frameLocator('iframe');
    await expect(mail.getByRole('heading', { level: 1, name: words.subject })).toBeVisible();
    await expect(mail.getByRole('link', { name: words.button, exact: true })).toBeVisible();
    await expect(page.getByRole('main').locator('pre')).toContainText('/orders/1024');
  });

  test(`[O7] a reader of a mail stops such mails without signing in; a link that is cut off stops nothing (${language})`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    const { userId, client } = await newShopper();
    const token = stopTokenOf(userId, 'reminders');
    const press = page.getByRole('button', { name: words.press, exact: true });
    const muted = async () => (await client.get('/api/account/preferences')).body.mutedMails;

    await page.goto(`${path}/stop-mails`);
    await expect(page.getByRole('main').getByRole('alert')).toContainText(words.noLink);
    await page.goto(`${path}/stop-mails?cut#${token.slice(0, -3)}`);
    await press.click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText(words.broken);
    expect(await muted()).toEqual([]);

    await page.goto(`${path}/stop-mails#${token}`);
    await expect(page.getByRole('main')).toContainText(words.topic);
    expect(await muted()).toEqual([]);
    await press.click();
    await expect(page.getByRole('main').getByRole('status')).toContainText(words.done);
    expect(await muted()).toEqual(['reminders']);
    await expect(page.getByRole('link', { name: words.account, exact: true })).toBeVisible();
  });
}
