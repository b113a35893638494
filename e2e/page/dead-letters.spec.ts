import { expect, test } from '@playwright/test';
import pg from 'pg';
import { demoMerchant, newShopper } from '../support/accounts';
import { setting } from '../support/commands';
import { buy, newSale } from '../support/sales';
import { useSession } from '../support/shop';

/**
 * Puts messages into the product's outbox as if they had failed nine times; only a test with access to the database
 * can do that.
 */
async function putFailing(payloads: object[]): Promise<void> {
  const url = new URL(setting('DATABASE_URL'));
  expect(['localhost', '127.0.0.1']).toContain(url.hostname);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const payload of payloads) {
      const values = [JSON.stringify(payload)];
      await client.query(
        "INSERT INTO outgoing_messages (topic, payload, attempts) VALUES ('points', $1, 9)",
        values,
      );
    }
  } finally {
    await client.end();
  }
}

test('[E5 E6 L4] what was given up is on the admin area: tried again, or closed with a reason', async ({
  page,
}) => {
  const [shopper, merchant, { saleId }] = await Promise.all([newShopper(), demoMerchant(), newSale()]);
  const orderNo = await buy(shopper, saleId);
  await putFailing([
    { saleId, orderNo, kind: 'unheard-of' },
    { saleId, orderNo: '1024', kind: 'earned' },
  ]);
  await useSession(page.context(), { client: merchant });
  await page.goto(`/admin/sales/${saleId}`);
  const letters = page.getByRole('region', { name: 'Dead letters' }).getByRole('listitem');
  await expect(letters).toHaveCount(2, { timeout: 150_000 });

  const unknown = letters.filter({ hasText: 'there is no order 1024' });
  await expect(unknown).toContainText('10 attempts, given up');
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
