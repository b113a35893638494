import { expect, type Page, test } from '@playwright/test';
import { totpCode } from '../../lib/account/factors/totp';
import { demoAdmin, newShopper, newStaff } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { BOTH_LOOKS } from '../support/both-looks';
import { execute } from '../support/database';
import { mailsAgainOf, mailsOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { buy, expectOrder, newSale, pay } from '../support/sales';
import { buyButton, buyOnPage, toasts, useSession } from '../support/shop';
import { addAuthenticator } from '../support/virtual-passkeys';

test('[G6 L4] an admin gives a shopper a level: the account page shows it, and a sale that asks for more opens', async ({
  page,
  browser,
}) => {
  const [shopper, sale, admin] = await Promise.all([newShopper(), newSale({ minLevel: 2 }), demoAdmin()]);
  await useSession(page.context(), shopper);
  await page.goto(`/sales/${sale.slug}`);
  await expect(buyButton(page, 'Not available to you')).toBeDisabled();
  await expect(page.getByText(/^You have level 0\./)).toBeVisible();

  const context = await browser.newContext();
  await useSession(context, { client: admin });
  const office = await context.newPage();
  await office.goto(`/admin/users?search=${shopper.email}`);
  await office.getByRole('button', { name: `Manage ${shopper.email}` }).click();
  const form = office.getByRole('row').filter({ hasText: 'Sign out everywhere' });
  await form.getByLabel('Level', { exact: true }).fill('2');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await office.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(toasts(office)).toContainText(`${shopper.email} is now: Shopper, level 2.`);

  await page.goto('/zh-CN/account');
  await expect(page.getByRole('region', { name: '您的等级' })).toContainText('等级 2');
  await page.goto(`/sales/${sale.slug}`);
  await buyOnPage(page);
});

// So many points that nobody else here has a level by this rule.
const MILLION = 1_000_000;

/** Changes the rules for levels, whatever other tests do to them meanwhile. */
async function changeLevelRules(
  change: (rules: { level: number; minPoints: number }[]) => { level: number; minPoints: number }[],
): Promise<void> {
  const admin = await demoAdmin();
  await expect(async () => {
    const { rules } = (await admin.get('/api/admin/levels')).body;
    const body = { rules: change(rules as { level: number; minPoints: number }[]), before: rules };
    expect((await admin.request('PUT', '/api/admin/levels', { body })).status).toBe(200);
  }).toPass({ timeout: 150_000 });
}

test('[G16] a shopper earns a level by what was paid, sees it on the account page, and buys from a sale that asks for it', async ({
  page,
}) => {
  const [shopper, dear, sale] = await Promise.all([
    newShopper(),
    newSale({ priceMinor: MILLION * 100 }),
    newSale({ minLevel: 7 }),
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await useSession(page.context(), shopper);
  await changeLevelRules((rules) => [...rules, { level: 7, minPoints: MILLION }]);
  try {
    await page.goto('/zh-CN/account');
    const level = page.getByRole('region', { name: '您的等级' });
    await expect(level).toContainText('等级 0');

    await pay(shopper, await buy(shopper, dear.saleId));
    const now = async () => (await shopper.client.get('/api/points')).body.level;
    await expect.poll(now, { timeout: 150_000 }).toBe(7);
    await page.reload();
    await expect(level).toContainText('等级 7');
    await expectAccessible(page, 'account with a level');
    await page.goto(`/sales/${sale.slug}`);
    await buyOnPage(page);
  } finally {
    await changeLevelRules((rules) => rules.filter((rule) => rule.level !== 7));
  }
});

const SUPPORT = {
  English: {
    who: 'Who',
    find: 'Find',
    one: 'One account',
    again: (orderNo: string) => `Send the mail about order ${orderNo} again`,
    sent: (email: string) => `The mail to ${email} is on its way.`,
    muted: 'This person wants no such mails, so none was sent.',
    toasts: /^What was done/,
    everywhere: 'Sign out everywhere',
    yes: 'Yes, do it',
    nowhere: 'They are signed in nowhere.',
  },
  Chinese: {
    who: '查找',
    find: '查找',
    one: '1 个账号',
    again: (orderNo: string) => `重发订单 ${orderNo} 的邮件`,
    sent: (email: string) => `发往 ${email} 的邮件已在途中。`,
    muted: '对方已选择不接收此类邮件，因此未发送。',
    toasts: /^刚才的操作/,
    everywhere: '在各处退出登录',
    yes: '是的，执行',
    nowhere: '当前未在任何地方登录。',
  },
};

for (const { language, path, viewport } of BOTH_LOOKS)
  test(`[N9] support finds a person by order and by address, sends a mail again unless it is unwanted, and ends their sessions; each look is recorded (${language})`, async ({
    page,
  }) => {
    const words = SUPPORT[language];
    await page.setViewportSize(viewport);
    const [shopper, sale, support] = await Promise.all([
      newShopper(),
      newSale({ limitPerUser: 2 }),
      newStaff('support'),
    ]);
    const orderNo = await buy(shopper, sale.saleId);
    await pay(shopper, orderNo);
    const unpaid = await buy(shopper, sale.saleId);
    const muted = await shopper.client.request('PATCH', '/api/account/preferences', {
      body: { mutedMails: ['reminders'] },
    });
    expect(muted.status, muted.text).toBe(200);
    await useSession(page.context(), support);
    const find = async (who: string) => {
      await page.getByRole('searchbox', { name: words.who }).fill(who);
      await page.getByRole('button', { name: words.find, exact: true }).click();
      await expect(page.getByRole('status').filter({ hasText: words.one })).toBeVisible();
      await page.getByRole('button', { name: shopper.email }).click();
      await expect(page.getByRole('heading', { level: 2, name: shopper.email })).toBeVisible();
    };
    await page.goto(`${path}/admin/people`);
    await find(orderNo);
    await page.getByRole('button', { name: words.again(orderNo) }).click();
    const toast = page.getByRole('region', { name: words.toasts });
    await expect(toast).toContainText(words.sent(shopper.email));
    await expect.poll(() => mailsAgainOf(orderNo), { timeout: 150_000 }).toHaveLength(1);
    expect(mailsAgainOf(orderNo)[0]).toContain(`To: ${shopper.email}`);
    // Of an order that waits for payment, the mail is a reminder.
    await page.getByRole('button', { name: words.again(unpaid) }).click();
    await expect(page.getByRole('alert').filter({ hasText: words.muted })).toBeVisible();
    await expectAccessible(page, 'a person, and a mail that was not sent');

    await find(shopper.email);
    await page.getByRole('button', { name: words.everywhere }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: words.yes }).click();
    await expect(page.getByText(words.nowhere)).toBeVisible();
    expectProblem(await shopper.client.get('/api/orders'), 401, 'UNAUTHENTICATED');
    expect(mailsAgainOf(unpaid)).toEqual([]);
    const log = await (await demoAdmin()).get(`/api/admin/audit?actor=${support.userId}&limit=50`);
    const done = (log.body.entries as { action: string }[]).map(({ action }) => action);
    expect(done).toEqual(
      expect.arrayContaining(['person.search', 'person.read', 'person.send_mail', 'user.revoke_sessions']),
    );
  });

test('[I7] a shopper chooses Chinese mails without reminders, and gets just those', async ({ page }) => {
  const [shopper, sale] = await Promise.all([newShopper(), newSale()]);
  await useSession(page.context(), shopper);
  await page.goto('/account');
  const mails = page.getByRole('region', { name: 'Mails', exact: true });
  await mails.getByLabel('Language of mails').selectOption('zh-CN');
  await mails.getByRole('checkbox', { name: 'Reminders to pay' }).uncheck();
  await mails.getByRole('button', { name: 'Save' }).click();
  await expect(mails.getByText('Saved.')).toBeVisible();

  const orderNo = await buy(shopper, sale.saleId);
  // As a worker does when the time to pay is nearly over.
  const reminder = {
    kind: 'payment_reminder',
    key: `payment_reminder-${orderNo}`,
    saleId: sale.saleId,
    orderNo,
  };
  await execute(`INSERT INTO outgoing_messages (topic, payload) VALUES ('mail', $1), ('in-app', $1)`, [
    JSON.stringify(reminder),
  ]);
  const handled = () =>
    execute(
      `SELECT sent_at IS NOT NULL AS sent FROM outgoing_messages
       WHERE topic = 'mail' AND payload->>'orderNo' = $1 AND payload->>'kind' = 'payment_reminder'`,
      [orderNo],
    );
  await expect.poll(handled, { timeout: 150_000 }).toEqual([{ sent: true }]);
  await pay(shopper, orderNo);
  await expect.poll(() => [...mailsOf(orderNo).keys()], { timeout: 150_000 }).toHaveLength(1);
  const [[name, mail] = ['', '']] = mailsOf(orderNo);
  expect(name).toBe(`order_paid-${orderNo}.eml`);
  expect(mail).toContain(`/zh-CN/orders/${orderNo}`);
  // In the shop it is told all the same.
  await expect
    .poll(async () => (await shopper.client.get('/api/notifications')).body.notifications, {
      timeout: 150_000,
    })
    .toContainEqual(expect.objectContaining({ kind: 'payment_reminder' }));
});

/** Answers the first refund as a shop does whose staff showed too long ago who they are: this one, a demo, never asks. */
async function asLongAfter(page: Page): Promise<void> {
  await page.route(
    '**/api/admin/orders/*/refund',
    (route) => route.fulfill({ status: 403, json: { code: 'CONFIRM_AGAIN' } }),
    { times: 1 },
  );
}

test('[N5 I9] an operator with a factor shows it, by passkey or code, and the refund is made', async ({
  page,
}) => {
  const [shopper, sale, operator] = await Promise.all([
    newShopper(),
    newSale({ limitPerUser: 2 }),
    newStaff('operator'),
  ]);
  const orders: string[] = [];
  for (const _ of ['passkey', 'code']) {
    const orderNo = await buy(shopper, sale.saleId);
    await pay(shopper, orderNo);
    orders.push(orderNo);
  }
  const [byPasskey = '', byCode = ''] = orders;
  const { client, password } = operator;
  const begun = await client.post('/api/account/factors/totp', { currentPassword: password });
  const secret = String(begun.body.secret);
  const code = totpCode(secret);
  const confirmed = await client.post('/api/account/factors/totp/confirm', { code });
  expect(confirmed.status, confirmed.text).toBe(200);
  const alone = await client.post('/api/account/confirm', { currentPassword: password });
  expectProblem(alone, 403, 'FACTOR_NEEDED');

  await addAuthenticator(page);
  await useSession(page.context(), operator);
  await page.goto('/account');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await passkeys.getByLabel('Name of the passkey').fill('My phone');
  await passkeys.getByLabel('Present password').fill(password);
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeys.getByText(/not used yet/)).toBeVisible();

  await asLongAfter(page);
  await page.goto(`/admin/orders/${byPasskey}`);
  const refund = page.getByRole('region', { name: 'Refund', exact: true });
  await refund.getByLabel('Reason').fill('scratched');
  await refund.getByRole('button', { name: /^Refund .*42\.00/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, refund it' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Is it you?' });
  await expect(dialog.getByLabel('Code', { exact: true })).toBeVisible();
  await expect(dialog.getByLabel('Present password')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'With a passkey instead' }).click();
  await expect(dialog).toHaveCount(0);
  await expectOrder(shopper, byPasskey, 'refunded');

  await asLongAfter(page);
  await page.goto(`/zh-CN/admin/orders/${byCode}`);
  const chinese = page.getByRole('region', { name: '退款', exact: true });
  await chinese.getByLabel('原因').fill('scratched');
  await chinese.getByRole('button', { name: /^退款 .*42\.00/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '是，退款' }).click();
  const again = page.getByRole('alertdialog', { name: '请确认是您本人' });
  await again.getByLabel('验证码', { exact: true }).fill(totpCode(secret, Date.now() + 30_000));
  await again.getByRole('button', { name: '继续' }).click();
  await expect(again).toHaveCount(0);
  await expectOrder(shopper, byCode, 'refunded');
});
