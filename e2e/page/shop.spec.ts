import { type Browser, expect, type Page, test } from '@playwright/test';
import { newShopper, newStaff, type Shopper, unique } from '../support/accounts';
import { Client } from '../support/client';
import { shopInvitationOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { buy, newProduct, pay, saleInput } from '../support/sales';
import { heading, toasts } from '../support/shop';

const PASSWORD = 'correct horse battery';

/** Opens a browser of its own, signed in as this account. */
async function browserOf(browser: Browser, account: Pick<Shopper, 'client'>): Promise<Page> {
  const context = await browser.newContext();
  await context.addCookies(account.client.browserCookies());
  return context.newPage();
}

/** Makes a merchant with a live sale that somebody has bought from. */
async function newShop() {
  const owner = await newStaff('merchant');
  const productId = await newProduct(owner.client);
  const made = await owner.client.post('/api/admin/sales', { ...saleInput(), productId });
  expect(made.status, made.text).toBe(201);
  const saleId = String(made.body.saleId);
  const published = await owner.client.post(`/api/admin/sales/${saleId}/publish`);
  expect(published.status, published.text).toBe(200);
  const shopper = await newShopper();
  const orderNo = await buy(shopper, saleId);
  await pay(shopper, orderNo);
  return { owner, saleId, orderNo };
}

test('[B5 L4] an owner invites an editor for sales alone, who changes a sale, refunds nothing, and sees nothing once removed', async ({
  browser,
}) => {
  test.setTimeout(900_000);
  const [{ owner, saleId, orderNo }, other] = await Promise.all([newShop(), newStaff('merchant')]);
  const email = `e2e-${unique()}@example.com`;
  const owners = await browserOf(browser, owner);
  await owners.goto('/admin/sales');
  await owners.getByRole('link', { name: 'Shop', exact: true }).click();
  await expect(heading(owners, 'Shop')).toBeVisible();
  await expect(owners.getByText('Nobody is invited just now.')).toBeVisible();
  await owners.getByLabel('E-mail address').fill(email);
  await owners.getByRole('checkbox', { name: 'Refunds and orders' }).uncheck();
  await owners.getByRole('checkbox', { name: 'Stock' }).uncheck();
  await owners.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(toasts(owners)).toContainText(`The invitation to ${email} is on its way.`);
  const open = owners.getByRole('region', { name: 'Open invitations' });
  await expect(open.getByRole('listitem').filter({ hasText: email })).toContainText(
    'Editor: Sales, products and campaigns',
  );

  await expect.poll(() => shopInvitationOf(email), { timeout: 150_000 }).toBeTruthy();
  const accepted = await new Client().post('/api/invitations/accept', {
    token: shopInvitationOf(email),
    name: 'Eve',
    password: PASSWORD,
  });
  expect(accepted.status, accepted.text).toBe(200);
  const editor = await new Client().signIn(email, PASSWORD);
  expect((await editor.get('/api/admin/sales')).text).toContain(saleId);
  expect((await editor.post(`/api/admin/sales/${saleId}/pause`)).status).toBe(200);
  const refund = { reason: 'x', returnStock: true };
  expectProblem(await editor.post(`/api/admin/orders/${orderNo}/refund`, refund), 403, 'FORBIDDEN');
  expectProblem(
    await other.client.post(`/api/admin/orders/${orderNo}/refund`, refund),
    404,
    'ORDER_NOT_FOUND',
  );
  expectProblem(await other.client.get(`/api/admin/sales/${saleId}`), 404, 'SALE_NOT_FOUND');
  expect((await other.client.get('/api/admin/sales')).text).not.toContain(saleId);

  const { chosen } = (await owner.client.get('/api/admin/shops')).body;
  const shop = `/api/admin/shops/${chosen}`;
  const members = (await owner.client.get(shop)).body.members as { userId: string; email: string }[];
  const idOf = (one: string) => members.find((member) => member.email === one)?.userId;
  const removed = await owner.client.post(`${shop}/members/${idOf(email)}/remove`);
  expect(removed.status, removed.text).toBe(200);
  expectProblem(await editor.get(`/api/admin/sales/${saleId}`), 401, 'UNAUTHENTICATED');
  // The last owner stays.
  const left = await owner.client.post(`${shop}/members/${idOf(owner.email)}/remove`);
  expectProblem(left, 409, 'LAST_OWNER');
});
