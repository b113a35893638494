import { randomInt } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper, type Shopper } from '../support/accounts';
import { Client } from '../support/client';
import { fastPathSecret } from '../support/fast-path-secret';
import { verificationOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import { enter, gateOf, newSale } from '../support/sales';

const HOUR_MS = 3_600_000;
const BLOCKS = '/api/admin/blocks';

/** Returns a network of the test's own that no client uses (RFC 3849); without a group of zeros, which would be left out. */
const newNetwork = () =>
  `2001:db8:${randomInt(1, 0x10000).toString(16)}:${randomInt(1, 0x10000).toString(16)}::/64`;

async function block(
  kind: string,
  value: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string }> {
  const answer = await (await demoAdmin()).post(BLOCKS, { kind, value, reason: 'a test', ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as { id: string };
}

const deviceIn = (entryToken: string) =>
  (JSON.parse(Buffer.from(entryToken.split('.')[0] ?? '', 'base64url').toString()) as unknown[])[6];

/** Waits until our server and Next both answer a purchase as expected. */
async function expectPurchase(saleId: string, gate: string, token: string, status: number, code?: string) {
  for (const secret of ['', fastPathSecret()]) {
    await expect(async () => {
      const headers = { 'x-entry-token': token, ...(secret ? { 'x-seckill-lane': secret } : {}) };
      const answer = await new Client().post(`/api/sales/${saleId}/purchase/${gate}`, undefined, { headers });
      if (code) expectProblem(answer, status, code);
      else expect(answer.status, answer.text).toBe(status);
    }).toPass({ timeout: 150_000, intervals: [20] });
  }
}

const enterAnswer = ({ client }: Pick<Shopper, 'client'>, saleId: string) =>
  client.post(`/api/sales/${saleId}/entry`);

test('[G8] a blocked account neither enters nor buys, also with a token from before; lifted, it does', async () => {
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale()]);
  const [token, gate] = [await enter(shopper, saleId), await gateOf(saleId)];
  const expiresAt = Date.now() + HOUR_MS;
  const made = await block('user', shopper.email, { expiresAt });
  expect(made).toMatchObject({
    byEmail: 'admin@example.com',
    kind: 'user',
    value: shopper.userId,
    email: shopper.email,
    reason: 'a test',
    expiresAt,
  });
  await expectPurchase(saleId, gate, token, 403, 'BLOCKED');
  await expect(async () => {
    const refused = await enterAnswer(shopper, saleId);
    expectProblem(refused, 403, 'BLOCKED');
    expect(refused.body.until).toBe(expiresAt);
  }).toPass({ timeout: 150_000, intervals: [20] });

  const lifted = await (await demoAdmin()).post(`${BLOCKS}/${made.id}/lift`);
  expect(lifted.body).toMatchObject({ id: made.id, liftedAt: expect.any(Number) });
  expect((await (await demoAdmin()).post(`${BLOCKS}/${made.id}/lift`)).body.liftedAt).toBe(
    lifted.body.liftedAt,
  );
  await expectPurchase(saleId, gate, token, 202);
  await expect(async () => expect((await enterAnswer(shopper, saleId)).status).toBe(200)).toPass({
    timeout: 150_000,
  });
});

test('[G8] a device is known by its cookie, blocked with every account on it, and renamed if its cookie is altered', async () => {
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale({ limitPerUser: 5 })]);
  // The shop has known the device since the shopper signed in.
  const token = await enter(shopper, saleId);
  const device = String(deviceIn(token));
  expect(device).toMatch(/^device_[a-z0-9]{26}$/);
  expect(deviceIn(await enter(shopper, saleId))).toBe(device);
  // Another browser, or one that sends an altered cookie, counts as another device and gets in.
  const cookies = shopper.client
    .browserCookies()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  const asking = (headers: Record<string, string>) =>
    new Client().post(`/api/sales/${saleId}/entry`, undefined, { headers: { cookie: cookies, ...headers } });
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
  const others: Record<string, string>[] = [
    { 'user-agent': firefox },
    { cookie: cookies.replace(device, `${device.slice(0, -1)}_`) },
  ];
  for (const headers of others) {
    const answer = await asking(headers);
    expect(answer.status, answer.text).toBe(200);
    expect(deviceIn(String(answer.body.entryToken))).toBe('');
    expect(answer.headers.getSetCookie().join()).toMatch(/seckill-device=device_.*HttpOnly; SameSite=Lax/);
  }
  // A browser that keeps no cookies but the session has no device name, and gets in.
  const session = cookies.split('; ').filter((pair) => !pair.startsWith('seckill-device'));
  const nameless = await asking({ cookie: session.join('; ') });
  expect(deviceIn(String(nameless.body.entryToken))).toBe('');

  await block('device', device);
  await expectPurchase(saleId, await gateOf(saleId), token, 403, 'BLOCKED');
  await expect(async () => expectProblem(await enterAnswer(shopper, saleId), 403, 'BLOCKED')).toPass({
    timeout: 150_000,
  });
});

test('[G6] thresholds: a new account and an address that is not verified have to wait; the mail verifies it', async () => {
  const [shopper, old, verified] = await Promise.all([
    newShopper(),
    newSale({ minAccountAgeSec: 86_400 }),
    newSale({ requireVerifiedEmail: true }),
  ]);
  await expect.poll(() => verificationOf(shopper.userId), { timeout: 150_000 }).toBeTruthy();
  // Registering has just sent a mail, and another one may go out a minute later.
  expectProblem(await shopper.client.post('/api/email/send', {}), 429, 'RATE_LIMITED');

  const tooNew = await enterAnswer(shopper, old.saleId);
  expectProblem(tooNew, 403, 'ACCOUNT_TOO_NEW');
  expect(Number(tooNew.body.oldEnoughAt)).toBeGreaterThan(Date.now());
  expectProblem(await enterAnswer(shopper, verified.saleId), 403, 'EMAIL_UNVERIFIED');
  // Demo accounts have a verified address, but are too young for any age rule.
  expect((await enterAnswer({ client: await demoMerchant() }, verified.saleId)).status).toBe(200);

  const token = verificationOf(shopper.userId);
  const anybody = new Client();
  for (const wrong of ['', 'nonsense', `${token}x`, 'x'.repeat(300)])
    expectProblem(await anybody.post('/api/email/verify', { token: wrong }), 410, 'VERIFICATION_INVALID');
  for (const wrong of [{}, { token: 1 }, { token: 'x'.repeat(301) }])
    expectProblem(await anybody.post('/api/email/verify', wrong), 422, 'VALIDATION');
  expectProblem(await anybody.post('/api/email/send', {}), 401, 'UNAUTHENTICATED');
  expect((await anybody.post('/api/email/verify', { token })).body).toEqual({ verified: true });
  expect((await enterAnswer(shopper, verified.saleId)).status).toBe(200);
  expect((await shopper.client.post('/api/email/send', {})).body).toEqual({ verified: true });
});

test('[G8] the list is for operators and admins, and not for forged requests', async () => {
  const [shopper, merchant, admin] = await Promise.all([newShopper(), demoMerchant(), demoAdmin()]);
  const body = { kind: 'user', value: shopper.userId, reason: 'x' };
  const requests: ['GET' | 'POST', string, unknown?][] = [
    ['GET', BLOCKS],
    ['POST', BLOCKS, body],
    ['POST', `${BLOCKS}/1/lift`, {}],
    ['GET', `${BLOCKS}/export`],
    ['POST', `${BLOCKS}/import`, { csv: 'kind,value,reason\n' }],
  ];
  for (const [method, path, sent] of requests) {
    expectProblem(await new Client().request(method, path, { body: sent }), 401, 'UNAUTHENTICATED');
    expectProblem(await shopper.client.request(method, path, { body: sent }), 403, 'FORBIDDEN');
    expectProblem(await merchant.request(method, path, { body: sent }), 403, 'FORBIDDEN');
    if (method === 'GET') continue;
    expectProblem(await admin.request(method, path, { body: sent, isSameOrigin: false }), 403, 'CSRF');
  }
});

test('[G8] nonsense is refused with the field it is in', async () => {
  const admin = await demoAdmin();
  const good = { kind: 'ip', value: '203.0.113.7', reason: 'x' };
  const wrong: [object, string][] = [
    [{}, 'kind'],
    [{ ...good, kind: 'planet' }, 'kind'],
    [{ ...good, value: '' }, 'value'],
    [{ ...good, value: 'x'.repeat(255) }, 'value'],
    [{ ...good, value: '1.2.3' }, 'value'],
    [{ ...good, value: '0.0.0.0/0' }, 'value'],
    [{ ...good, reason: ' ' }, 'reason'],
    [{ ...good, reason: 'x'.repeat(501) }, 'reason'],
    [{ ...good, expiresAt: 1 }, 'expiresAt'],
    [{ ...good, expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ kind: 'user', value: 'nobody@example.com', reason: 'x' }, 'value'],
    [{ kind: 'user', value: 'user_nobody', reason: 'x' }, 'value'],
    [{ kind: 'device', value: 'a b', reason: 'x' }, 'value'],
  ];
  for (const [body, path] of wrong) {
    const answer = await admin.post(BLOCKS, body);
    expectProblem(answer, 422, 'VALIDATION');
    expect((answer.body.fields as { path: string }[]).map((field) => field.path)).toContain(path);
  }
  for (const query of [
    'state=x',
    'kind=x',
    'limit=0',
    'limit=101',
    'cursor=bm9uc2Vuc2U',
    `value=${'x'.repeat(255)}`,
  ])
    expectProblem(await admin.get(`${BLOCKS}?${query}`), 422, 'VALIDATION');
  for (const id of ['0', 'x', '9'.repeat(30)])
    expectProblem(await admin.post(`${BLOCKS}/${id}/lift`), 404, 'BLOCK_NOT_FOUND');
  const tooMany = `kind,value,reason\n${'user,u,r\n'.repeat(10_001)}`;
  for (const csv of ['', 'a,b', '"', tooMany, 'x'.repeat(1_100_000)])
    expectProblem(await admin.post(`${BLOCKS}/import`, { csv }), 422, 'VALIDATION');
});

test('[G8] the list goes out as CSV and comes back; wrong lines are named, formulas are defused', async () => {
  const admin = await demoAdmin();
  const [network, other] = [newNetwork(), newNetwork()];
  const csv = [
    'value,kind,reason,expires_at',
    `${network},ip,"=1+1, ""quoted""",2090-01-31T12:00:00Z`,
    `${other},ip,no end,`,
    'x,planet,r,',
    'not-an-address,ip,r,',
    `${other},ip,r,yesterday`,
  ].join('\n');
  const answer = await admin.post(`${BLOCKS}/import`, { csv });
  expect(answer.body).toEqual({
    imported: 2,
    failed: 3,
    errors: [
      { line: 4, problem: 'kind' },
      { line: 5, problem: 'not_a_network' },
      { line: 6, problem: 'expires_at' },
    ],
  });
  const found = await admin.get(`${BLOCKS}?value=${encodeURIComponent(network.replace('::/64', '::1'))}`);
  expect(found.body.blocks).toMatchObject([
    { kind: 'ip', value: network, reason: '=1+1, "quoted"', expiresAt: Date.UTC(2090, 0, 31, 12) },
  ]);
  const exported = await admin.get(`${BLOCKS}/export?kind=ip`);
  expect(exported.headers.get('content-type')).toContain('text/csv');
  const lines = exported.text.split('\r\n').filter((line) => line.includes(network) || line.includes(other));
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`ip,${network},"'=1+1, ""quoted""",2090-01-31T12:00:00.000Z,`);
  // A second import changes nothing and adds no duplicates.
  const again = await admin.post(`${BLOCKS}/import`, { csv: exported.text });
  expect(again.body.failed).toBe(0);
  const both = await admin.get(
    `${BLOCKS}?state=all&value=${encodeURIComponent(network.replace('::/64', ''))}`,
  );
  expect(both.body.blocks).toHaveLength(1);
  for (const { id } of [...(found.body.blocks as { id: string }[])]) await admin.post(`${BLOCKS}/${id}/lift`);
});
