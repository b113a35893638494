import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { expectProblem } from '../support/problem';
import { buy, newSale } from '../support/sales';

test('[C8] a merchant reconciles a sale while it sells and reads the last report', async () => {
  const [merchant, shopper, { saleId }] = await Promise.all([demoMerchant(), newShopper(), newSale()]);
  const path = `/api/admin/sales/${saleId}/reconcile`;
  await buy(shopper, saleId);
  const { status, body } = await merchant.post(path, { repair: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ saleId, cause: 'demand', ok: true, found: 0, repaired: 0, differences: [] });
  const { report } = (await merchant.get(path)).body;
  expect(report).toMatchObject({ saleId, ok: true });

  expectProblem(await merchant.post(path, { repair: 'yes' }), 422, 'VALIDATION');
  expectProblem(await merchant.post('/api/admin/sales/sale_nowhere/reconcile'), 404, 'SALE_NOT_FOUND');
  expectProblem(await shopper.client.post(path), 403, 'FORBIDDEN');
  expectProblem(await new Client().get(path), 401, 'UNAUTHENTICATED');
});
