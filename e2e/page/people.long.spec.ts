import { expect, test } from '@playwright/test';
import { newShopper, newStaff } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { execute } from '../support/database';
import { mailsAgainOf } from '../support/mails';
import { buy, enter, gateOf, newSale, pay, purchase } from '../support/sales';
import { heading, useSession } from '../support/shop';

const LOOKS = [
  {
    language: 'English',
    path: '',
    viewport: { width: 1280, height: 800 },
    nav: 'People',
    find: 'Find',
    why: /^Why\? All/,
    back: /^This shopper/,
    again: (orderNo: string) => `Send the mail about order ${orderNo} again`,
    sent: (email: string) => `The mail to ${email} is on its way.`,
    nobody: "We couldn't find that account.",
    refused: /the mail server refuses the address/,
    everywhere: 'Sign out everywhere',
    yes: 'Yes, do it',
    nowhere: 'They are signed in nowhere.',
  },
  {
    language: 'Chinese, on a phone',
    path: '/zh-CN',
    viewport: { width: 390, height: 844 },
    nav: '用户',
    find: '查找',
    why: /^原因/,
    back: /^该用户/,
    again: (orderNo: string) => `重发订单 ${orderNo} 的邮件`,
    sent: (email: string) => `发往 ${email} 的邮件已在途中。`,
    nobody: '找不到该账户。',
    refused: /邮件服务器拒收该邮箱的邮件/,
    everywhere: '在各处退出登录',
    yes: '确认执行',
    nowhere: '当前未在任何地方登录。',
  },
];

for (const words of LOOKS)
  test(`[N9 M5 O7] support finds a person by order and by address, sends a mail again, sees why, and ends the sessions (${words.language})`, async ({
    page,
  }) => {
    await page.setViewportSize(words.viewport);
    const [shopper, sale, support] = await Promise.all([newShopper(), newSale(), newStaff('support')]);
    const orderNo = await buy(shopper, sale.saleId);
    await pay(shopper, orderNo);
    const refused = await purchase(sale.saleId, await gateOf(sale.saleId), await enter(shopper, sale.saleId));
    expect(refused.body.code).toBe('LIMIT_REACHED');
    await useSession(page.context(), support);
    const find = async (who: string) => {
      await page.getByRole('searchbox').fill(who);
      await page.getByRole('button', { name: words.find, exact: true }).click();
    };
    const found = page.getByRole('heading', { level: 2, name: shopper.email });

    await page.goto(`${words.path}/admin/sales`);
    await page.getByRole('link', { name: words.nav, exact: true }).click();
    await expect(heading(page, words.nav)).toBeVisible();
    await find(`${shopper.email}x`);
    await expect(page.getByRole('alert').filter({ hasText: words.nobody })).toBeVisible();
    await find(orderNo);
    await expect(found).toBeVisible();
    await expect(page.getByText(words.refused)).toHaveCount(0);
    await page.getByRole('button', { name: words.again(orderNo) }).click();
    await expect(page.getByText(words.sent(shopper.email), { exact: true })).toBeVisible();
    await expect.poll(() => mailsAgainOf(orderNo)).toMatchObject([expect.stringContaining(shopper.email)]);

    // Refusals are written a moment later.
    const why = page.getByRole('link', { name: words.why });
    await expect(async () => {
      await find(orderNo);
      await expect(why).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 150_000 });
    await execute('UPDATE users SET mail_refused_at = now() WHERE id = $1', [shopper.userId]);
    await find(orderNo);
    await expect(page.getByText(words.refused)).toBeVisible();
    await expectAccessible(page, 'a person');
    await why.click();
    await expect(page.getByText('LIMIT_REACHED')).toBeVisible();
    await page.getByRole('link', { name: words.back }).click();
    await expect(found).toBeVisible();

    await find(shopper.email);
    await expect(found).toBeVisible();
    await page.getByRole('button', { name: words.everywhere }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: words.yes }).click();
    await expect(page.getByText(words.nowhere)).toBeVisible();
    expect((await shopper.client.get('/api/orders')).status).toBe(401);
  });
