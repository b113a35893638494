import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { execute } from '../support/database';
import { putGivenUp, putUnreadable } from '../support/dead-letters';
import { buy, newSale } from '../support/sales';
import { heading, useSession } from '../support/shop';

/** Puts a message into the product's outbox that has failed three times and is due again in an hour. */
const putFailed = (payload: object) =>
  execute(
    `INSERT INTO outgoing_messages (topic, payload, attempts, last_error, next_attempt_at)
     VALUES ('points', $1, 3, 'the points service is asleep', now() + interval '1 hour')`,
    [JSON.stringify(payload)],
  );

test('[E5 E6 L4] dead letters of all sales: payload read, closed with a reason, all of a filter tried again', async ({
  page,
}) => {
  const [shopper, merchant, { saleId }] = await Promise.all([newShopper(), demoMerchant(), newSale()]);
  const orderNo = await buy(shopper, saleId);
  await putUnreadable({ saleId, orderNo: '1024' });
  for (const _ of [1, 2]) await putGivenUp({ saleId, orderNo });
  await useSession(page.context(), { client: merchant });
  await page.goto('/admin/sales');
  await page.getByRole('link', { name: 'Queues' }).click();
  await expect(heading(page, 'Queues')).toBeVisible();
  await page.getByLabel('Only this sale (id)').fill(saleId);
  await expect(page).toHaveURL(new RegExp(`saleId=${saleId}`));
  const list = page.getByRole('region', { name: 'Dead letters' });
  const letters = list.getByRole('listitem');
  await expect(letters).toHaveCount(3, { timeout: 150_000 });

  const unknown = letters.filter({ hasText: '"orderNo": "1024"' });
  await unknown.getByText('What it carries').click();
  await expect(unknown.getByText('"kind": "unheard-of"')).toBeVisible();
  await unknown.getByLabel('Reason').fill('a test order');
  await unknown.getByRole('button', { name: 'Close without it' }).click();
  await expect(letters).toHaveCount(2);
  await list.getByRole('button', { name: 'Try all 2 again' }).click();
  await page.getByRole('button', { name: 'Yes, try again' }).click();
  await expect(page.getByText('2 are tried again.')).toBeVisible();
  await expect(list.getByText('Nothing has been given up.')).toBeVisible();
  await list.getByLabel('Show').selectOption('all');
  await expect(letters.filter({ hasText: /Closed .*: a test order/ })).toHaveCount(1);
  await expect(letters.filter({ hasText: 'Tried again' })).toHaveCount(2);
});

test('[E6 E10] a failed message is tried at once; timers, outboxes and the workers wanted are told', async ({
  page,
}) => {
  test.slow();
  const [shopper, merchant, sale] = await Promise.all([newShopper(), demoMerchant(), newSale()]);
  const { saleId } = sale;
  const orderNo = await buy(shopper, saleId);
  await putFailed({ saleId, orderNo, kind: 'earned' });
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/queues?saleId=${saleId}&runs=sleeping&outboxes=all`);
  const message = page.getByRole('region', { name: 'Outgoing messages' }).getByRole('row', { name: orderNo });
  await expect(message).toContainText('the points service is asleep');
  await expect(message.getByRole('cell').first()).toHaveText('3');
  await message.getByRole('button', { name: /^Try message/ }).click();
  await expect(message).toHaveCount(0, { timeout: 150_000 });

  const timers = page.getByRole('region', { name: 'Executor' });
  // After a failure on a busy machine the executor repeats a call after 15 s or more, the second time after 45 s.
  await expect(timers.getByRole('row', { name: 'Releasing unpaid orders' })).toBeVisible({
    timeout: 240_000,
  });
  const outboxes = page.getByRole('region', { name: 'Accepted purchases' });
  await expect(outboxes.getByRole('row', { name: sale.title })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Workers the load asks for' })).toBeVisible();
});
