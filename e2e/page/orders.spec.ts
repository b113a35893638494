import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { demoMerchant, newShopper, newStaff } from '../support/accounts';
import { expectAccessible } from '../support/axe';
import { Client } from '../support/client';
import { buy, expectOrder, newProduct, newSale, pay } from '../support/sales';
import { heading, toasts, useSession } from '../support/shop';

const CONFLICT = 'Somebody else changed this order';

/** Searches for an order on the list that is open. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text);
  await page.getByRole('button', { name: 'Find' }).click();
}

/** Makes a sale whose pieces go by parcel. */
async function newSaleByParcel(): Promise<string> {
  const [merchant, productId] = await Promise.all([demoMerchant(), newProduct()]);
  const body = { delivery: { way: 'parcel' }, version: 1 };
  await merchant.request('PATCH', `/api/admin/products/${productId}`, { body });
  return (await newSale({ productId })).saleId;
}

/** Has a new shopper buy, say where to, and pay. @returns the order's number */
async function buyParcel(saleId: string): Promise<string> {
  const shopper = await newShopper();
  const orderNo = await buy(shopper, saleId);
  const address = {
    name: 'Ada',
    lines: ['Unter den Linden 1'],
    city: 'Berlin',
    postalCode: '10117',
    country: 'DE',
  };
  const given = await shopper.client.request('PUT', `/api/orders/${orderNo}/address`, { body: { address } });
  expect(given.status, given.text).toBe(200);
  await pay(shopper, orderNo);
  return orderNo;
}

test('[L3 F3] a merchant finds an order, changes its price against a colleague’s, refunds it, and exports', async ({
  page,
}) => {
  const [shopper, merchant, sale] = await Promise.all([
    newShopper(),
    demoMerchant(),
    newSale({ totalStock: 3, priceMinor: 4200 }),
  ]);
  const orderNo = await buy(shopper, sale.saleId);
  await useSession(page.context(), { client: merchant });
  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await expect(heading(page, 'Orders')).toBeVisible();

  await search(page, shopper.email);
  const row = page.getByRole('row', { name: orderNo });
  await expect(row).toContainText('To be paid');
  await expect(page).toHaveURL(/q=/);
  await page.reload();
  await expect(row).toContainText('€42.00');
  await page.getByLabel('Status').selectOption('paid');
  await expect(page.getByText('No order fits.')).toBeVisible();
  await page.getByLabel('Status').selectOption('');
  await search(page, orderNo);
  await row.getByRole('link', { name: orderNo }).click();
  await expect(heading(page, `Order ${orderNo}`)).toBeVisible();

  // A colleague changes the price first.
  await page.getByLabel('New price for each piece').fill('40');
  const admin = `/api/admin/orders/${orderNo}`;
  const faster = await merchant.request('PATCH', admin, { body: { priceMinor: 4100, version: 1 } });
  expect(faster.status, faster.text).toBe(200);
  await page.getByRole('button', { name: 'Change the price' }).click();
  const conflict = page.getByRole('alert').filter({ hasText: CONFLICT });
  await expect(conflict).toContainText('When you began');
  for (const text of ['€42.00', '€41.00', '€40.00', 'Version 1', 'Version 2'])
    await expect(conflict).toContainText(text);
  await conflict.getByRole('button', { name: 'Change to €40.00 all the same' }).click();
  await expect(page.getByText('The price is now €40.00 for each piece.')).toBeVisible();
  await expect(page.getByText('Price changed from €41.00 to €40.00.')).toBeVisible();

  await shopper.client.post(`/api/orders/${orderNo}/pay`);
  await page.getByLabel('New price for each piece').fill('39');
  await page.getByRole('button', { name: 'Change the price' }).click();
  await expect(page.getByText('so the amount of €40.00 is fixed')).toBeVisible();
  await expect(page.getByLabel('New price for each piece')).toHaveCount(0);

  await pay(shopper, orderNo);
  await page.reload();
  const refund = page.getByRole('button', { name: 'Refund €40.00' });
  await expect(refund).toBeDisabled();
  await page.getByLabel('Reason').fill('scratched');
  await page.getByLabel('Written off').check();
  await refund.click();
  await expect(page.getByRole('alertdialog')).toContainText("the sale's total of 3 becomes 2");
  await page.getByRole('button', { name: 'Leave it as it is' }).click();
  await page.getByLabel('For sale again').check();
  await refund.click();
  await expect(page.getByRole('alertdialog')).toContainText('2 left become 3');
  await page.getByRole('button', { name: 'Yes, refund it' }).click();
  await expect(page.getByText('Refund of €40.00 decided.')).toBeVisible();
  await expect(page.getByText('“scratched”')).toBeVisible();
  await expect(page.getByText('The payment provider told: received (taken over).')).toBeVisible();

  await page.goto(`/admin/orders?saleId=${sale.saleId}`);
  await expect(page.getByRole('row', { name: orderNo })).toContainText('Refunded');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('orders.csv');
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`"=""${orderNo}""",${sale.saleId},`);
  await expect(page.getByText(`Only the sale ${sale.title}`)).toBeVisible();
  await page.getByRole('button', { name: 'Show all sales' }).click();
  await expect(page.getByText('Only the sale')).toHaveCount(0);
  await expect(page).not.toHaveURL(/saleId/);
});

test('[O4] a merchant gives back parts of an order, sees what is left, and the shopper sees what came back', async ({
  page,
  browser,
}) => {
  const [shopper, merchant, sale] = await Promise.all([
    newShopper(),
    demoMerchant(),
    newSale({ totalStock: 3, priceMinor: 4200 }),
  ]);
  const orderNo = await buy(shopper, sale.saleId);
  await pay(shopper, orderNo);
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/orders/${orderNo}`);
  await page.getByLabel('How much goes back?').selectOption('A part');
  const amount = page.getByLabel('Amount to give back');
  await amount.fill('x');
  await expect(page.getByText('This is no amount in this currency.')).toBeVisible();
  await amount.fill('42');
  await expect(page.getByText('Less than €42.00 must go back')).toBeVisible();
  await page.getByLabel('Reason').fill('a scratch');
  await expect(page.getByRole('button', { name: 'Give back a part' })).toBeDisabled();
  await amount.fill('2.50');
  await page.getByRole('button', { name: 'Give back €2.50' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('The order stays paid');
  await page.getByRole('button', { name: 'Yes, send it back' }).click();
  const parts = page.getByRole('region', { name: 'Given back in parts' });
  await expect(parts).toContainText('a scratch');
  await expect(parts).toContainText('sent');
  await expect(page.getByText('€2.50 of €42.00; €39.50 left')).toBeVisible();
  await expect(page.getByText('Refunded in part')).toBeVisible();
  await expect(amount).toHaveValue('');
  await page.getByLabel('How much goes back?').selectOption('All that is left');
  await expect(page.getByRole('button', { name: 'Refund €39.50' })).toBeVisible();

  const context = await browser.newContext();
  await useSession(context, shopper);
  const theirs = await context.newPage();
  await theirs.goto('/orders');
  await expect(theirs.getByText('Refunded in part')).toBeVisible();
  await theirs.goto(`/orders/${orderNo}`);
  await expect(
    theirs.getByRole('status').filter({ hasText: 'a part of your money back: €2.50' }),
  ).toBeVisible();
  await expect(theirs.getByRole('region', { name: 'Receipt' })).toContainText(/Given back.*€2\.50/);
  await expect(theirs.getByText('A part went back to you: €2.50.')).toBeVisible();
  await theirs.goto('/notifications');
  await expect(theirs.getByText(`Partial refund: ${sale.title}`)).toBeVisible();
  await context.close();
});

test('[L3] a merchant cancels an unpaid order, and support sees all of it but changes nothing', async ({
  page,
}) => {
  const [shopper, support, sale] = await Promise.all([
    newShopper(),
    newStaff('support'),
    newSale({ totalStock: 5 }),
  ]);
  const orderNo = await buy(shopper, sale.saleId);
  await useSession(page.context(), support);
  await page.goto(`/admin/orders/${orderNo}`);
  await expect(page.getByRole('definition').filter({ hasText: shopper.email })).toBeVisible();
  await expect(page.getByText('Order written; the time to pay began.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel the order' })).toHaveCount(0);
  await expect(page.getByLabel('New price for each piece')).toHaveCount(0);

  await useSession(page.context(), { client: await demoMerchant() });
  await page.reload();
  await page.getByLabel('Reason').fill('made by mistake');
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('4 left become 5');
  await page.getByRole('button', { name: 'Yes, cancel it' }).click();
  await expect(page.getByText('Cancelled in the admin area.')).toBeVisible();
  await expectOrder(shopper, orderNo, 'cancelled');

  await page.goto('/admin/orders/12345');
  await expect(page.getByText('There is no such order')).toBeVisible();
});

test('[L3] the list and the file are for the admin area alone, and say what is wrong with nonsense', async () => {
  const [shopper, merchant] = await Promise.all([newShopper(), demoMerchant()]);
  for (const path of ['/api/admin/orders', '/api/admin/orders/export']) {
    expect((await new Client().get(path)).status).toBe(401);
    expect((await shopper.client.get(path)).status).toBe(403);
    for (const query of [
      'status=queued',
      'from=yesterday',
      'to=-1',
      `user=${'x'.repeat(300)}`,
      'saleId=%00',
    ]) {
      expect((await merchant.get(`${path}?${query}`)).status, query).toBe(422);
    }
  }
  for (const query of ['limit=0', 'limit=101', 'cursor=%20', 'cursor=bm9uc2Vuc2U']) {
    expect((await merchant.get(`/api/admin/orders?${query}`)).status, query).toBe(422);
  }
});

test('[O5 L3] a merchant takes the addresses of parcels as a file, and gives the numbers of the carrier back as one @long', async ({
  page,
}) => {
  const [merchant, saleId] = await Promise.all([demoMerchant(), newSaleByParcel()]);
  const orderNo = await buyParcel(saleId);
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/orders?saleId=${saleId}`);
  await page.getByRole('button', { name: 'Parcels', exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Addresses: not packed yet' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toContain(`Ada,Unter den Linden 1,,,Berlin,,10117,DE,`);
  await page.getByLabel('Take numbers from a file').setInputFiles({
    name: 'numbers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `order_no,carrier,tracking_number,tracking_url\n${orderNo},Post,00340434,\n1,Post,2,\n`,
    ),
  });
  await expect(page.getByText('1 parcel is on its way.')).toBeVisible();
  await expect(page.getByText('Line 3: there is no such order in your shop')).toBeVisible();
  await expect(page.getByRole('row', { name: orderNo })).toContainText('On its way');
  await expectAccessible(page, 'parcels by file');
});

test('[O5] a merchant packs several orders at once, and reads which of them could not be packed @long', async ({
  page,
}) => {
  const [merchant, saleId] = await Promise.all([demoMerchant(), newSaleByParcel()]);
  const [packed, left, refunded] = [
    await buyParcel(saleId),
    await buyParcel(saleId),
    await buyParcel(saleId),
  ];
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/orders?saleId=${saleId}`);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await page.getByLabel('Delivery').selectOption({ label: 'Not packed yet' });
  await expect(page.getByRole('button', { name: 'Mark 0 as packed' })).toBeDisabled();
  await page.getByLabel('Choose all 3 shown').check();
  await page.getByLabel(`Choose order ${left}`).uncheck();
  await expectAccessible(page, 'orders that are chosen');
  const refund = { reason: 'a test', returnStock: true };
  expect((await merchant.post(`/api/admin/orders/${refunded}/refund`, refund)).status).toBe(200);
  await page.getByRole('button', { name: 'Mark 2 as packed' }).click();
  await expect(toasts(page).getByText('1 order packed.')).toBeVisible();
  const notice = page.getByRole('status').filter({ hasText: '1 order was left out:' });
  await expect(notice).toContainText(refunded);
  await expect(page.getByRole('row', { name: packed })).toHaveCount(0);
  await expect(page.getByLabel(`Choose order ${left}`)).not.toBeChecked();
  await page.getByLabel('Delivery').selectOption({ label: 'Packed' });
  await expect(page.getByRole('row', { name: packed })).toContainText('Packed');
  await expect(page.getByRole('checkbox')).toHaveCount(0);
});
