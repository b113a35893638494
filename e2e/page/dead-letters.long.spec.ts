import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { putGivenUp, putUnreadable } from '../support/dead-letters';
import { buy, newSale } from '../support/sales';
import { useSession } from '../support/shop';

test('[E5 E6 L4] what was given up is on the admin area: tried again, or closed with a reason', async ({
  page,
}) => {
  const [shopper, merchant, { saleId }] = await Promise.all([newShopper(), demoMerchant(), newSale()]);
  const orderNo = await buy(shopper, saleId);
  await putGivenUp({ saleId, orderNo });
  await putUnreadable({ saleId, orderNo: '1024' });
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/sales/${saleId}`);
  const letters = page.getByRole('region', { name: 'Dead letters' }).getByRole('listitem');
  await expect(letters).toHaveCount(2, { timeout: 150_000 });

  await expect(letters.filter({ hasText: orderNo })).toContainText('10 attempts, given up');
  const unknown = letters.filter({ hasText: '"orderNo": "1024"' });
  await expect(unknown).toContainText('1 attempt, given up');
  await expect(unknown.getByRole('button', { name: 'Close without it' })).toBeDisabled();
  await unknown.getByLabel('Reason').fill('a test order');
  await unknown.getByRole('button', { name: 'Close without it' }).click();
  await expect(letters).toHaveCount(1);

  await letters.getByRole('button', { name: 'Try again' }).click();
  await expect(letters).toHaveCount(0);
  const all = await merchant.get(`/api/admin/dead-letters?state=all&saleId=${saleId}`);
  // Either may have been given up first.
  expect(all.body.deadLetters).toHaveLength(2);
  expect(all.body.deadLetters).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ orderNo: '1024', resolution: 'discarded: a test order' }),
      expect.objectContaining({ orderNo, resolution: 'retried' }),
    ]),
  );
  // The two dead letters are closed and can't be handled again.
  for (const { id } of all.body.deadLetters as { id: string }[]) {
    expect((await merchant.post(`/api/admin/dead-letters/${id}/retry`)).status).toBe(409);
  }
});
