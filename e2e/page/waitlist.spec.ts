import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper, type Shopper } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { newSale, stateOf } from '../support/sales';
import { buyButton, buyLink, toasts, useSession } from '../support/shop';

/** Buys the only unit of a sale. @returns the order's number */
async function buyIt({ client }: Shopper, saleId: string): Promise<string> {
  const { entryToken } = (await client.post(`/api/sales/${saleId}/entry`)).body;
  const { gate } = await stateOf(saleId);
  const headers = { 'x-entry-token': String(entryToken) };
  const bought = await client.post(`/api/sales/${saleId}/purchase/${gate}`, undefined, { headers });
  expect(bought.status, bought.text).toBe(202);
  return String(bought.body.orderNo);
}

test('[M2] joins with one press, leaves, joins again, and pays for the unit that comes back', async ({
  page,
  context,
}) => {
  const [{ saleId, slug }, owner, shopper] = await Promise.all([
    newSale({ totalStock: 1, waitlist: true }),
    newShopper(),
    newShopper(),
  ]);
  const orderNo = await buyIt(owner, saleId);
  await page.goto(`/sales/${slug}`);
  await expect(buyLink(page, 'Sign in to join the waitlist')).toBeVisible();
  await useSession(context, shopper);
  await page.reload();
  const join = buyButton(page, 'Tell me if one comes back');
  await expect(join).toBeEnabled();
  await expectAccessible(page, 'a sold-out sale with a waitlist');
  await join.focus();
  await page.keyboard.press('Enter');
  await expect(buyButton(page, 'You are number 1')).toBeDisabled();
  await expect(page.getByRole('status').filter({ hasText: 'You are on the waitlist.' })).toHaveCount(1);
  await expectAccessible(page, 'a place on the waitlist');
  await page.screenshot({ path: test.info().outputPath('in-line-dark-phone.png') });
  await page.reload();
  await expect(buyButton(page, 'You are number 1')).toBeDisabled();
  await page.getByRole('button', { name: 'Leave the waitlist' }).click();
  await expect(join).toBeEnabled();
  await join.click();
  await expect(buyButton(page, 'You are number 1')).toBeDisabled();

  await expect.poll(async () => (await owner.client.post(`/api/orders/${orderNo}/cancel`)).status).toBe(200);
  await expect(buyLink(page, /^Pay within \d+:\d\d/)).toBeVisible({ timeout: 150_000 });
  await page.screenshot({ path: test.info().outputPath('given-dark-phone.png') });
  await buyLink(page, /^Pay within/).click();
  await expect(page.getByRole('button', { name: /^Pay €/ })).toBeVisible();
});

test('[M2] the merchant sees who waits, closes the list and opens it again @long', async ({
  page,
  context,
}) => {
  const [{ saleId, slug }, owner, shopper, merchant] = await Promise.all([
    newSale({ totalStock: 1, waitlist: true }),
    newShopper(),
    newShopper(),
    demoMerchant(),
  ]);
  await buyIt(owner, saleId);
  await context.addCookies(merchant.browserCookies());
  await page.goto(`/admin/sales/${saleId}`);
  const card = page.getByRole('region', { name: 'Waitlist' });
  await expect(card).toContainText('New people may join.');
  await card.getByRole('button', { name: 'Close the waitlist' }).click();
  await expect(toasts(page)).toContainText('The waitlist is closed.');
  // The toast stays while it has the focus, however long the next steps take.
  await page.keyboard.press('F8');
  await expect(card).toContainText('Closed: nobody else joins.');
  await expectAccessible(page, 'the live view of a sale with a waitlist');
  await page.screenshot({ path: test.info().outputPath('admin.png'), fullPage: true });

  const other = await page.context().browser()?.newContext();
  if (!other) throw new Error('no browser');
  await useSession(other, shopper);
  const shop = await other.newPage();
  await shop.goto(`/sales/${slug}`);
  await expect(shop.getByText('nobody can join the waitlist any more')).toBeVisible();
  await other.close();
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(card).toContainText('New people may join.');
});
