import { type Browser, expect, type Page, test } from '@playwright/test';
import { newShopper, newStaff, type Shopper, unique } from '../support/accounts';
import { expectAccessible } from '../support/axe';
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

/** Makes a merchant with a live sale that a shopper has bought from. */
async function newShop() {
  const owner = await newStaff('merchant');
  const productId = await newProduct(owner.client);
  const input = saleInput();
  const made = await owner.client.post('/api/admin/sales', { ...input, productId });
  expect(made.status, made.text).toBe(201);
  const saleId = String(made.body.saleId);
  const published = await owner.client.post(`/api/admin/sales/${saleId}/publish`);
  expect(published.status, published.text).toBe(200);
  const shopper = await newShopper();
  const orderNo = await buy(shopper, saleId);
  await pay(shopper, orderNo);
  return { owner, saleId, title: String(input.title), orderNo };
}

/**
 * Saves the shipping and the name while another owner changes both: each form keeps what was typed in it, says so, follows
 * otherwise, and saves when asked again.
 */
async function overtake(page: Page, { client }: Pick<Shopper, 'client'>, name: string) {
  const { shops } = (await client.get('/api/admin/shops')).body as { shops: [{ shopId: string }] };
  const path = `/api/admin/shops/${shops[0].shopId}`;
  const saved = async () => (await client.get(path)).body;
  const shipping = (priceMinor: number) => [{ currency: 'EUR', countries: [], maxGrams: null, priceMinor }];
  const change = async (priceMinor: number) => {
    const { version } = await saved();
    const body = { name: 'Of the other owner', shipping: shipping(priceMinor), version };
    expect((await client.request('PATCH', path, { body })).status).toBe(200);
  };
  const [shopName, price] = [page.getByLabel('Name of the shop'), page.getByLabel('Price')];
  const rename = page.getByRole('button', { name: 'Rename' });
  const saveShipping = page.getByRole('button', { name: 'Save shipping' });
  const conflicts = page.getByText(/^Someone else changed this meanwhile/);
  await price.fill('4.90');
  await shopName.fill(`First ${name}`);
  await change(390);
  await rename.click();
  await expect(conflicts).toHaveCount(2);
  await rename.click();
  await expect(toasts(page)).toContainText(`The shop is now called First ${name}.`);
  await expect(conflicts).toHaveCount(1);
  await expect(price).toHaveValue('4.90');
  await saveShipping.click();
  await expect(toasts(page)).toContainText('Shipping is saved.');
  await expect(conflicts).toHaveCount(0);
  expect(await saved()).toMatchObject({ name: `First ${name}`, shipping: shipping(490) });

  await shopName.fill(name);
  await change(590);
  await saveShipping.click();
  await expect(conflicts).toHaveCount(2);
  await expect(price).toHaveValue('5.90');
  await saveShipping.click();
  await expect(conflicts).toHaveCount(1);
  await expect(saveShipping).not.toHaveAttribute('aria-disabled');
  await expect(shopName).toHaveValue(name);
  await rename.click();
  await expect(toasts(page)).toContainText(`The shop is now called ${name}.`);
  await expect(conflicts).toHaveCount(0);
  expect(await saved()).toMatchObject({ name, shipping: shipping(590) });
}

test('[L4] an owner invites an editor for sales alone, who changes a sale, refunds nothing, and sees nothing once removed', async ({
  browser,
}) => {
  test.setTimeout(900_000);
  const [{ owner, saleId, title, orderNo }, other] = await Promise.all([newShop(), newStaff('merchant')]);
  const email = `e2e-${unique()}@example.com`;
  const owners = await browserOf(browser, owner);
  await owners.goto('/admin/sales');
  await owners.getByRole('link', { name: 'Shop', exact: true }).click();
  await expect(heading(owners, 'Shop')).toBeVisible();
  const name = `Lanterns ${unique()}`;
  await owners.getByRole('button', { name: 'Add a rule' }).click();
  await overtake(owners, owner, name);
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
  await expectAccessible(owners, 'shop with an open invitation');

  await expect.poll(() => shopInvitationOf(email), { timeout: 150_000 }).toBeTruthy();
  const editors = await (await browser.newContext()).newPage();
  await editors.goto(`/invite#${shopInvitationOf(email)}`);
  await expect(editors.getByText(`is invited to work in the shop “${name}” as: Editor.`)).toBeVisible();
  await editors.getByLabel('Name').fill('Eve');
  await editors.getByLabel('Password').fill(PASSWORD);
  await editors.getByRole('button', { name: 'Accept' }).click();
  await expect(editors.getByRole('link', { name: title })).toBeVisible({ timeout: 90_000 });
  await editors.goto(`/admin/orders/${orderNo}`);
  await expect(heading(editors, `Order ${orderNo}`)).toBeVisible();
  await expect(editors.getByRole('button', { name: 'Refund' })).toHaveCount(0);
  await editors.goto(`/admin/sales/${saleId}`);
  await expect(editors.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();

  const editor = await new Client().signIn(email, PASSWORD);
  expect((await editor.post(`/api/admin/sales/${saleId}/pause`)).status).toBe(200);
  const refund = { reason: 'x', returnStock: true };
  const refundPath = `/api/admin/orders/${orderNo}/refund`;
  expectProblem(await editor.post(refundPath, refund), 403, 'FORBIDDEN');
  expectProblem(await other.client.post(refundPath, refund), 404, 'ORDER_NOT_FOUND');
  expectProblem(await other.client.get(`/api/admin/sales/${saleId}`), 404, 'SALE_NOT_FOUND');
  expect((await other.client.get('/api/admin/sales')).text).not.toContain(saleId);

  await owners.reload();
  await owners.getByRole('button', { name: `Manage ${email}` }).click();
  await owners.getByRole('button', { name: 'Remove from the shop' }).click();
  await owners.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(toasts(owners)).toContainText(`${email} is not in the shop any more.`);
  expectProblem(await editor.get(`/api/admin/sales/${saleId}`), 401, 'UNAUTHENTICATED');
  // The last owner stays.
  await owners.getByRole('button', { name: `Manage ${owner.email}` }).click();
  await owners.getByRole('button', { name: 'Leave the shop' }).click();
  await owners.getByRole('alertdialog').getByRole('button', { name: 'Yes, do it' }).click();
  await expect(owners.getByText('make somebody else an owner first')).toBeVisible();
  await Promise.all([owners, editors].map((page) => page.context().close()));
});
