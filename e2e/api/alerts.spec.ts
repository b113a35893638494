import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { setting } from '../support/commands';
import { expectProblem } from '../support/problem';
import { newSale } from '../support/sales';

const ALERTS = '/api/admin/alerts';
const RULES = `${ALERTS}/rules`;

type Rule = { id: string; threshold: number; enabled: boolean; version: number };

const ruleOf = async (id: string): Promise<Rule> => {
  const { status, body } = await (await demoAdmin()).get(RULES);
  expect(status).toBe(200);
  return (body.rules as Rule[]).find((rule) => rule.id === id) as Rule;
};
const change = async (body: object) => (await demoAdmin()).request('PATCH', RULES, { body });

test('[J1] thresholds are changed under their version', async () => {
  const { threshold, version } = await ruleOf('lock_wait');
  const changed = await change({ ruleId: 'lock_wait', version, threshold: threshold + 1 });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body).toMatchObject({ threshold: threshold + 1, version: version + 1, enabled: true });
  const stale = await change({ ruleId: 'lock_wait', version, threshold: 7 });
  expectProblem(stale, 409, 'VERSION_CONFLICT');
  expect(stale.body).toMatchObject({ version: version + 1, rule: { threshold: threshold + 1 } });
  expect((await change({ ruleId: 'lock_wait', version: version + 1, threshold })).status).toBe(200);
});

test('[J1] nonsense is refused, and strangers see and change nothing', async () => {
  const admin = await demoAdmin();
  for (const query of ['state=x', 'rule=x', 'cursor=AAAA', 'limit=1000', `saleId=${'x'.repeat(99)}`])
    expectProblem(await admin.get(`${ALERTS}?${query}`), 422, 'VALIDATION');
  for (const body of [
    {},
    { ruleId: 'lock_wait', version: 0 },
    { ruleId: 'nowhere', version: 0, threshold: 1 },
    { ruleId: 'lock_wait', version: 0, threshold: -1 },
    { ruleId: 'lock_wait', version: 0, threshold: 1e12 },
    { ruleId: 'lock_wait', version: 0, enabled: 'yes' },
  ])
    expectProblem(await change(body), 422, 'VALIDATION');
  for (const id of ['x', '0', '99999999999999999999'])
    expectProblem(await admin.post(`${ALERTS}/${id}/acknowledge`, {}), 404, 'ALERT_NOT_FOUND');
  const note = 'x'.repeat(501);
  expectProblem(await admin.post(`${ALERTS}/1/acknowledge`, { note }), 422, 'VALIDATION');

  const [shopper, merchant] = await Promise.all([newShopper(), demoMerchant()]);
  for (const path of [ALERTS, RULES]) {
    expectProblem(await new Client().get(path), 401, 'UNAUTHENTICATED');
    expectProblem(await shopper.client.get(path), 403, 'FORBIDDEN');
  }
  expectProblem(await new Client().post(`${ALERTS}/1/acknowledge`, {}), 401, 'UNAUTHENTICATED');
  expectProblem(await shopper.client.post(`${ALERTS}/1/acknowledge`, {}), 403, 'FORBIDDEN');
  expect((await merchant.get(ALERTS)).status).toBe(200);
  expectProblem(await merchant.get(RULES), 403, 'FORBIDDEN');
  const body = { ruleId: 'lock_wait', version: 0, threshold: 1 };
  expectProblem(await merchant.request('PATCH', RULES, { body }), 403, 'FORBIDDEN');
});

test('[J2] one address tells the figures of all processes', async () => {
  const sale = await newSale();
  const read = async () => (await fetch(`http://127.0.0.1:${setting('METRICS_PORT')}/metrics`)).text();
  await expect
    .poll(read, { timeout: 150_000 })
    .toMatch(new RegExp(`seckill_stock_units\\{sale="${sale.saleId}",tier="available"\\} \\d+`));
  for (const role of ['web', 'next', 'worker']) {
    const memory = new RegExp(`seckill_process_resident_bytes\\{role="${role}",process="[^"]+"\\} \\d+`);
    await expect.poll(read, { timeout: 150_000 }).toMatch(memory);
  }
  // Every process reports its counts every five seconds.
  await expect
    .poll(read, { timeout: 150_000 })
    .toMatch(/seckill_http_requests_total\{route="admin",status="201",role="web"/);
});
