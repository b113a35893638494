import { expect, test } from '@playwright/test';
import { demoAdmin, newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { expectProblem } from '../support/problem';

const QUEUES = '/api/admin/queues';
const LISTS = [`${QUEUES}/outboxes`, `${QUEUES}/messages`, `${QUEUES}/runs`, '/api/admin/reconciliations'];

test('[E10 L4] queues are told to whom they concern; nonsense and strangers are refused', async () => {
  const [admin, shopper] = await Promise.all([demoAdmin(), newShopper()]);
  await expect(async () => {
    const { body } = await admin.get(QUEUES);
    expect(body.outbox).toMatchObject({ suggestion: { workers: expect.any(Number) } });
    expect(body.runs).toMatchObject({ sleeping: expect.any(Number) });
  }).toPass({ timeout: 150_000 });
  for (const path of LISTS) {
    expect((await admin.get(`${path}?limit=1&saleId=sale_nowhere`)).body.nextCursor, path).toBeNull();
    for (const nonsense of ['state=nonsense', 'limit=0&cursor=%00'])
      expectProblem(await admin.get(`${path}?${nonsense}`), 422, 'VALIDATION');
  }
  for (const path of [QUEUES, ...LISTS]) {
    expectProblem(await shopper.client.get(path), 403, 'FORBIDDEN');
    expectProblem(await new Client().get(path), 401, 'UNAUTHENTICATED');
  }
  expectProblem(await admin.get(`${QUEUES}/messages?cursor=AAAA`), 422, 'VALIDATION');
  expectProblem(await admin.get(`${QUEUES}/runs?cursor=AAAA`), 422, 'VALIDATION');
  for (const id of ['x', '999999999'])
    expectProblem(await admin.post(`${QUEUES}/messages/${id}/retry`), 404, 'MESSAGE_NOT_FOUND');
  expectProblem(await shopper.client.post(`${QUEUES}/messages/1/retry`), 403, 'FORBIDDEN');
  expectProblem(await admin.get('/api/admin/sales/sale_nowhere/reconcile/reports'), 404, 'SALE_NOT_FOUND');
  expectProblem(await admin.get('/api/admin/sales/sale_nowhere/reconcile/reports/1'), 404, 'NOT_FOUND');
  const kinds = { repair: true, kinds: ['nonsense'] };
  expectProblem(await admin.post('/api/admin/sales/sale_nowhere/reconcile', kinds), 422, 'VALIDATION');
});
