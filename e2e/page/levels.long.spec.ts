import { expect, type Page, test } from '@playwright/test';
import { demoAdmin, newShopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { execute } from '../support/database';
import { buy, newSale, pay } from '../support/sales';
import { buyButton, toasts, useSession } from '../support/shop';

/** No other test's shopper has so many points. */
const MANY = 900_000_000;
const PATH = '/api/admin/levels';

/** A try that failed must leave no rules to the next one. */
async function forgetRules(): Promise<void> {
  const admin = await demoAdmin();
  const { products: _, ...before } = (await admin.get(PATH)).body;
  const { status, text } = await admin.request('PATCH', PATH, {
    body: { byPoints: [], byMembership: [], before },
  });
  expect(status, text).toBe(200);
}
test.beforeEach(forgetRules);
test.afterEach(forgetRules);

const rules = (page: Page, name: RegExp) => page.getByRole('group', { name });
const nameOf = async (productId: string) =>
  String((await execute('SELECT name FROM products WHERE id = $1', [productId]))[0]?.name);

test('[G16 L4] an admin sets the rules; a sale and the account say what is missing, and a paid membership opens the sale', async ({
  page,
  context,
}) => {
  const [shopper, membership, sale] = await Promise.all([newShopper(), newSale(), newSale({ minLevel: 6 })]);
  const name = await nameOf(membership.productId);
  await useSession(context, { client: await demoAdmin() });
  await page.goto('/admin/users');
  const [byPoints, byMembership] = [rules(page, /^By points/), rules(page, /^By membership/)];
  await page.getByRole('button', { name: 'Add a level' }).click();
  await byPoints.getByLabel('From so many points').fill('many');
  await expect(page.getByRole('button', { name: 'Save levels' })).toBeDisabled();
  await expect(page.getByText('Enter whole numbers from 1 on')).toBeVisible();
  await byPoints.getByLabel('From so many points').fill(String(MANY));
  await byPoints.getByLabel('Level', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Add a membership' }).click();
  await byMembership.getByLabel('Product').selectOption({ label: name });
  await byMembership.getByLabel('Level', { exact: true }).fill('6');
  await byMembership.getByLabel('Days for each unit').fill('30');
  await page.getByRole('button', { name: 'Save levels' }).click();
  await expect(toasts(page)).toContainText('The levels are changed.');
  await expectAccessible(page, 'accounts, with levels');

  await execute(
    "INSERT INTO points_entries (user_id, order_id, kind, points) VALUES ($1, $2, 'earned', $3)",
    [shopper.userId, String(Date.now()), MANY - 42],
  );
  await context.clearCookies();
  await useSession(context, shopper);
  await page.goto(`/sales/${sale.slug}`);
  await expect(page.getByText('You have level 0. This sale asks for level 6.')).toBeVisible();
  await expect(page.getByText('42 more points and you have level 7.')).toBeVisible();
  await expect(page.getByText(`${name} gives level 6 for 30 days.`)).toBeVisible();
  await expect(buyButton(page, 'Not available to you')).toBeDisabled();
  await expectAccessible(page, 'sale page, level missing');
  await page.goto(`/zh-CN/sales/${sale.slug}`);
  await expect(page.getByText('您的等级为 0。本场活动要求等级 6。')).toBeVisible();
  await expect(page.getByText('再得 42 积分，您就能达到等级 7。')).toBeVisible();
  await page.getByRole('link', { name: '前往该活动' }).click();
  await expect(page).toHaveURL(new RegExp(`/zh-CN/sales/${membership.slug}$`));
  await page.goto('/zh-CN/account');
  await expect(page.getByRole('region', { name: '您的等级' })).toContainText('再得 42 积分即可升至等级 7');

  await pay(shopper, await buy(shopper, membership.saleId));
  const level = async () => (await shopper.client.get('/api/account/level')).body.level;
  await expect.poll(level, { timeout: 150_000 }).toBeGreaterThan(0);
  // Its price earned 42 points, too.
  await page.goto('/account');
  const own = page.getByRole('region', { name: 'Your level' });
  await expect(own).toContainText('Level 7, 900,000,000 points');
  await execute("DELETE FROM points_entries WHERE user_id = $1 AND kind = 'earned' AND points > 100", [
    shopper.userId,
  ]);
  await page.reload();
  await expect(own).toContainText(/Level 6, 42 points.*It lasts until .*899,999,958 more points to level 7/);
  await expectAccessible(page, 'account, with a level');
  await page.goto(`/sales/${sale.slug}`);
  await expect(buyButton(page, 'Buy now')).toBeEnabled();
  await expect(page.getByText(/^You have level/)).toHaveCount(0);
});
