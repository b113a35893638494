import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper, unique } from '../support/accounts';
import { Client } from '../support/client';
import { expectProblem } from '../support/problem';
import { enter, gateOf, newSale, purchase } from '../support/sales';

const RULES = '/api/admin/risk/rules';
const HITS = '/api/admin/risk/hits';

type Hit = { hitId: string; ruleId: string; kind: string; value: string; releasedAt: number | null };

/** More than any other test's shopper does: an enabled rule applies to all of them. */
const MANY = 80;

const flagged = (more: object = {}) => ({
  metric: 'purchase_refusals',
  subject: 'user',
  windowSec: 60,
  comparison: 'above',
  threshold: MANY,
  action: { kind: 'block', forSec: 600 },
  ...more,
});

async function newRule(definition: object, state = 'enabled') {
  const admin = await demoAdmin();
  const made = await admin.post(RULES, { name: `Test ${unique()}`, definition, state });
  expect(made.status, made.text).toBe(201);
  return made.body as { ruleId: string; version: number };
}

const change = async (ruleId: string, body: object, method = 'PATCH') =>
  (await demoAdmin()).request(method, `${RULES}/${ruleId}`, { body });

async function hitsOf(value: string): Promise<Hit[]> {
  return (await (await demoAdmin()).get(`${HITS}?value=${value}`)).body.hits as Hit[];
}

test('[G10] the rules that ship are there, enabled', async () => {
  const { body } = await (await demoAdmin()).get(RULES);
  const rules = body.rules as { ruleId: string; state: string }[];
  const enabled = rules.filter(({ state }) => state === 'enabled').map(({ ruleId }) => ruleId);
  for (const ruleId of [
    'unpaid-by-account',
    'unpaid-by-device',
    'requests-by-address',
    'hammering-by-address',
  ])
    expect(enabled).toContain(ruleId);
});

test('[G11 G12] a rule made now hits whoever breaks it, is explained, and is taken back with one request', async () => {
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale({ limitPerUser: 1 })]);
  const [gate, token] = [await gateOf(saleId), await enter(shopper, saleId)];
  const { ruleId, version } = await newRule(flagged());
  expect((await purchase(saleId, gate, token)).status).toBe(202);
  const spare = await enter(shopper, saleId);
  // The shop refuses again and again, because each shopper may have only one unit. In the end it blocks the shopper.
  await expect(async () => {
    // All at once and again: a busy machine may need longer for them than the rule looks back.
    await Promise.all(Array.from({ length: MANY + 1 }, () => purchase(saleId, gate, spare)));
    expectProblem(await purchase(saleId, gate, spare), 403, 'BLOCKED');
  }).toPass({ timeout: 90_000, intervals: [1_000] });
  // One for each minute in which there were too many.
  const hits = (await hitsOf(shopper.userId)).filter((hit) => hit.ruleId === ruleId);
  expect(hits).not.toHaveLength(0);
  for (const hit of hits)
    expect(hit).toMatchObject({
      kind: 'user',
      isDryRun: false,
      saleId,
      ruleVersion: version,
      releasedAt: null,
    });
  // Another test's rule may also have looked at this shopper.
  await expect(async () => {
    const live = await (await demoMerchant()).get(`/api/admin/sales/${saleId}/live`);
    expect(live.body.risk).toEqual({ hits: (await hitsOf(shopper.userId)).length });
  }).toPass({ timeout: 150_000, intervals: [100] });

  const off = await change(ruleId, { version, state: 'disabled' });
  expect(off.body).toMatchObject({ state: 'disabled', version: version + 1 });
  expectProblem(await change(ruleId, { version, state: 'enabled' }), 409, 'VERSION_CONFLICT');
  for (const { hitId } of (await hitsOf(shopper.userId)).filter((hit) => hit.ruleId === ruleId)) {
    const released = await (await demoAdmin()).post(`${HITS}/${hitId}/release`);
    expect(released.body.releasedAt).toBeTruthy();
  }
  await expect(async () => {
    expectProblem(await purchase(saleId, gate, spare), 409, 'LIMIT_REACHED');
  }).toPass({ timeout: 150_000, intervals: [100] });
  expect((await change(ruleId, { version: version + 1 }, 'DELETE')).status).toBe(200);
  expectProblem(await change(ruleId, { version: version + 2, state: 'enabled' }), 404, 'RULE_NOT_FOUND');
});

test('[G11] a dry run names whom it would have hit, and leaves them alone', async () => {
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale({ limitPerUser: 1 })]);
  const [gate, token] = [await gateOf(saleId), await enter(shopper, saleId)];
  const definition = flagged({ windowSec: 61, threshold: 2 });
  const { ruleId } = await newRule(definition, 'dry_run');
  await purchase(saleId, gate, token);
  const spare = await enter(shopper, saleId);
  await expect(async () => {
    expectProblem(await purchase(saleId, gate, spare), 409, 'LIMIT_REACHED');
    // One for each minute in which there were too many.
    expect((await hitsOf(shopper.userId)).filter((hit) => hit.ruleId === ruleId)).not.toHaveLength(0);
  }).toPass({ timeout: 150_000, intervals: [100] });
  expectProblem(await purchase(saleId, gate, spare), 409, 'LIMIT_REACHED');
  const { body } = await (await demoAdmin()).post(`${RULES}/dry-run`, { definition });
  expect(body.isCounted).toBe(true);
  expect((body.top as { value: string }[]).map(({ value }) => value)).toContain(shopper.userId);
});

test('[G11] nonsense, strangers and merchants change no rule', async () => {
  const admin = await demoAdmin();
  const name = 'Nonsense';
  for (const body of [
    {},
    { name, definition: flagged({ metric: 'x' }) },
    { name, definition: flagged({ windowSec: 1e9 }) },
    { name, definition: flagged({ action: { kind: 'block' } }) },
    { name: 'x'.repeat(300), definition: flagged() },
    { name, definition: flagged(), state: 'on' },
  ])
    expectProblem(await admin.post(RULES, body), 422, 'VALIDATION');
  expectProblem(await admin.post(RULES, '{'), 400, 'MALFORMED');
  expectProblem(await admin.get(`${HITS}?cursor=AAAA`), 422, 'VALIDATION');
  expectProblem(await admin.get(`${HITS}?state=x`), 422, 'VALIDATION');
  expectProblem(await admin.post(`${HITS}/x/release`), 404, 'HIT_NOT_FOUND');
  expectProblem(await change('nowhere', { version: 1, state: 'enabled' }), 404, 'RULE_NOT_FOUND');
  const shopper = await newShopper();
  for (const path of [RULES, HITS]) {
    expectProblem(await new Client().get(path), 401, 'UNAUTHENTICATED');
    expectProblem(await shopper.client.get(path), 403, 'FORBIDDEN');
    expectProblem(await (await demoMerchant()).get(path), 403, 'FORBIDDEN');
  }
  expectProblem(await (await demoMerchant()).post(RULES, { name, definition: flagged() }), 403, 'FORBIDDEN');
});
