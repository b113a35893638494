// Also: without-plain-http
import { expect, test } from '@playwright/test';
import { DEMO_SALES } from '@/lib/demo/catalog';
import { demoMerchant, newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { expectBalanced } from '../support/commands';
import { execute } from '../support/database';
import { expectProblem } from '../support/problem';

const anybody = new Client();

test('[L1] says that it lives and that it is ready', async () => {
  expect((await anybody.get('/livez')).status).toBe(200);
  const ready = await anybody.get('/readyz');
  expect(ready.status).toBe(200);
  expect(ready.body).toMatchObject({
    ready: true,
    redis: { ok: true },
    postgres: { ok: true },
    executor: { ok: true },
  });
});

test('[L1] sends the headers that keep browsers out of trouble', async () => {
  for (const path of ['/', '/api/sales', '/livez']) {
    const { headers } = await anybody.get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

test('[L3] answers an interface that does not exist with a problem, not with a page', async () => {
  for (const path of ['/api', '/api/nothing', '/api/sales/x/nothing', '/api/admin']) {
    expectProblem(await anybody.get(path), 404, 'NOT_FOUND');
    expectProblem(await anybody.post(path, {}), 404, 'NOT_FOUND');
  }
});

test('[L3] answers what nobody means with a refusal, never with an error', async () => {
  const merchant = await demoMerchant();
  for (const path of ['/%', '/%zz', '/api/sales/%', '/api/sales/%ff/state', '/zh-CN/sales/%E0%A4%A']) {
    expectProblem(await anybody.get(path), 400, 'MALFORMED');
  }
  for (const path of ['/', '/signin', '/sales/x', '/livez']) {
    const answer = await anybody.post(path, {});
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  }
  for (const path of ['/sales/%00', '/zh-CN/sales/%00']) expect((await anybody.get(path)).status).toBe(404);
  for (const path of [
    '/sales?q=%00',
    '/blocks?value=%00',
    '/alerts?saleId=a%00',
    '/queues/runs?saleId=%00',
  ]) {
    expectProblem(await merchant.get(`/api/admin${path}`), 422, 'VALIDATION');
  }
  // Half of a character: JSON can spell it, but no database can store it.
  const half = { slug: 'half', name: 'Half', description: '', attributes: { size: '\ud800' } };
  const refused = await merchant.post('/api/admin/products', half);
  expectProblem(refused, 422, 'VALIDATION');
  expect(refused.body.fields).toEqual([{ path: 'attributes.size', message: expect.any(String) }]);
});

test('[L3] a body that nobody wanted to read stands in the way of nothing that follows', async () => {
  const tooLarge = { email: 'x'.repeat(2_000_000) };
  for (let round = 0; round < 3; round += 1) {
    expectProblem(await anybody.post('/api/register', tooLarge), 413, 'TOO_LARGE');
    expectProblem(await anybody.post('/api/orders/1/pay', tooLarge), 413, 'TOO_LARGE');
    expectProblem(await anybody.post('/api/nothing', tooLarge), 404, 'NOT_FOUND');
  }
});

test('[A1] lets nobody but our own processes renew pages', async () => {
  const paths = { paths: ['/'] };
  expectProblem(await anybody.post('/api/internal/revalidate', paths), 404, 'NOT_FOUND');
  const headers = { authorization: 'Bearer nonsense' };
  expectProblem(await anybody.post('/api/internal/revalidate', paths, { headers }), 404, 'NOT_FOUND');
});

test('[L3] runs functions for nobody but the executor', async () => {
  const path = '/api/inngest?fnId=seckill-create-orders&stepId=step';
  const unsigned = await anybody.post(path, {
    event: { name: 'orders/accepted', data: {} },
    events: [],
    steps: {},
    ctx: {},
  });
  expect(unsigned.status).toBe(401);
});

test('[L4] every demo sale keeps the invariants @long', async () => {
  test.skip(process.env.E2E_SECOND_WEB === '1', 'whoever serves, the books are the same');
  const sales = await execute('SELECT id FROM sales WHERE slug = ANY ($1)', [
    DEMO_SALES.map(({ slug }) => slug),
  ]);
  expect(sales).toHaveLength(DEMO_SALES.length);
  // One by one: other tests break the books of sales of their own for a moment.
  for (const { id } of sales) await expectBalanced(String(id));
});

test('[L4] finds nothing behind an id with a zero byte, and signs nobody in with one', async () => {
  const [{ client: shopper }, merchant] = await Promise.all([newShopper(), demoMerchant()]);
  expectProblem(await anybody.get('/api/sales/%00/state'), 404, 'NOT_FOUND');
  expectProblem(await anybody.post('/api/sales/a%00/purchase/x'), 404, 'NOT_FOUND');
  expectProblem(await anybody.post('/api/sales/x/purchase/%00'), 404, 'NOT_FOUND');
  expectProblem(await shopper.post('/api/sales/%00/entry'), 404, 'NOT_FOUND');
  expectProblem(await shopper.get('/api/orders/%00'), 404, 'NOT_FOUND');
  expectProblem(await merchant.post('/api/admin/sales/%00/publish'), 404, 'NOT_FOUND');
  expectProblem(await merchant.get('/api/admin/sales/%00/live'), 404, 'NOT_FOUND');
  await expect(new Client().signIn('a\0@example.com', 'demo-password')).rejects.toThrow(
    /401(?!.*rror.*utf)/i,
  );
});
