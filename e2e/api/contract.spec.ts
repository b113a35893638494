import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { buy, enter, gateOf, newSale } from '../support/sales';

/** Names a request for Next alone; what the product was started with is in its data directory. */
function laneSecret(): string {
  const file = join(process.env.E2E_DATA_DIR ?? '.data', 'runtime.json');
  const { env } = JSON.parse(readFileSync(file, 'utf8')) as { env: Record<string, string> };
  return createHash('sha256').update(`lane:${env.INTERNAL_SECRET}`).digest('hex');
}

/** How a message was cut up on its way is no part of it; time and request id differ each time. */
const OF_ONE_TRANSMISSION = new Set([
  'date',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);

type Asked = { method: string; path: string; headers?: Record<string, string>; body?: unknown };

async function ask({ method, path, headers, body }: Asked, lane?: string) {
  const answer = await new Client().request(method, path, {
    headers: { ...headers, ...(lane === undefined ? {} : { 'x-seckill-lane': lane }) },
    body,
  });
  const { requestId, serverTime, ...rest } = answer.body;
  return {
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !OF_ONE_TRANSMISSION.has(name))),
    body: { ...rest, requestId: typeof requestId, serverTime: typeof serverTime },
    keys: Object.keys(answer.body),
  };
}

/** Both adapters, asked the same. */
async function expectSame(asked: Asked, status?: number): Promise<void> {
  const [fast, next] = [await ask(asked), await ask(asked, laneSecret())];
  expect(fast, `${asked.method} ${asked.path}`).toEqual(next);
  if (status !== undefined) expect(fast.status, `${asked.method} ${asked.path}`).toBe(status);
}

test('[C1 F2] the fast lane and the route handlers answer purchases alike', async () => {
  const [shopper, rich, other, sale, elsewhere] = await Promise.all([
    newShopper(),
    newShopper(),
    newShopper(),
    newSale({ totalStock: 3, limitPerUser: 2 }),
    newSale(),
  ]);
  const { saleId } = sale;
  const [gate, token] = [await gateOf(saleId), await enter(shopper, saleId)];
  const post = (path: string, entryToken?: string, body?: unknown): Asked => ({
    method: 'POST',
    path,
    headers: entryToken === undefined ? {} : { 'x-entry-token': entryToken },
    body,
  });
  const path = `/api/sales/${saleId}/purchase/${gate}`;
  for (const wrong of [
    undefined,
    '',
    '.',
    'x',
    `${token}x`,
    'x'.repeat(5_000),
    await enter(other, elsewhere.saleId),
  ]) {
    await expectSame(post(path, wrong), 401);
  }
  for (const gates of ['x', 'null', 'a%2Fb', '%20', 'x'.repeat(300), await gateOf(elsewhere.saleId)]) {
    await expectSame(post(`/api/sales/${saleId}/purchase/${gates}`, token), 403);
  }
  for (const quantity of [0, -1, 1.5, 1e9, 'NaN', '1', null, true]) {
    await expectSame(post(path, token, { quantity }), 422);
  }
  await expectSame(post(path, token, '{"quantity":'), 400);
  await expectSame(post(path, token, 'x'.repeat(2_000)), 413);
  await expectSame(post(path, token, { quantity: 3 }), 409);
  await expectSame(post(`/api/sales/sale_nowhere/purchase/${gate}`, token), 404);
  await expectSame(post(`/api/sales/${'x'.repeat(300)}/purchase/${gate}`, token), 404);
  for (const odd of [
    `/api/sales//${saleId}/purchase/${gate}`,
    `${path}/`,
    `${path}/x`,
    `${path}%00`,
    `${path}?x=1`,
  ]) {
    await expectSame(post(odd, 'x'));
  }
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    await expectSame({ method, path }, method === 'OPTIONS' ? 204 : 405);
  }

  await new Client().post(path, undefined, { headers: { 'x-entry-token': token } });
  await expectSame(post(path, token), 202);
  await buy(rich, saleId, 2);
  await expectSame(post(path, await enter(other, saleId)), 409);
  await expectSame(post(path, await enter(rich, saleId)), 409);
  await expectSame(post(path, token), 202);

  const merchant = await demoMerchant();
  await merchant.post(`/api/admin/sales/${elsewhere.saleId}/pause`);
  const there = `/api/sales/${elsewhere.saleId}/purchase/x`;
  await expectSame(post(there, await enter(other, elsewhere.saleId)), 409);
  const late = await enter(other, elsewhere.saleId);
  await merchant.post(`/api/admin/sales/${elsewhere.saleId}/close`);
  await expectSame(post(there, late), 409);
  const early = await newSale({ startsAt: Date.now() + 60_000 });
  await expectSame(post(`/api/sales/${early.saleId}/purchase/x`, await enter(other, early.saleId)), 409);
});

test('[A3 B3] … and state, orders and health', async () => {
  const [shopper, { saleId }, early] = await Promise.all([
    newShopper(),
    newSale({ limitPerUser: 2 }),
    newSale({ startsAt: Date.now() + 60_000 }),
  ]);
  const token = await enter(shopper, saleId);
  const path = `/api/sales/${saleId}/purchase/${await gateOf(saleId)}`;
  const bought = await new Client().post(path, undefined, { headers: { 'x-entry-token': token } });
  const order = `/api/orders/${bought.body.orderNo}`;
  for (const target of [
    `/api/sales/${saleId}/state`,
    `/api/sales/${early.saleId}/state`,
    `/api/sales/${saleId}/state?clock=1`,
    `/api/sales/${saleId}/state?x=1`,
    `/api/sales/${saleId}/state/`,
    `/api/sales/%73ale/state`,
    '/api/sales/nowhere/state',
    `/api/sales/${'x'.repeat(300)}/state`,
    order,
    '/api/orders/0',
    '/api/orders/x',
    '/api/orders/99999999999999999999',
  ]) {
    await expectSame({ method: 'GET', path: target });
    await expectSame({ method: 'POST', path: target });
    await expectSame({ method: 'HEAD', path: target });
  }
  // Written meanwhile: both see the same order.
  await expect
    .poll(async () => (await new Client().get(order, { headers: { 'x-entry-token': token } })).body.status)
    .toBe('pending_payment');
  for (const entryToken of [token, `${token}x`, '', await enter(shopper, early.saleId)]) {
    const headers = { 'x-entry-token': entryToken };
    await expectSame({ method: 'GET', path: order, headers });
    await expectSame({ method: 'GET', path: '/api/orders/123', headers });
  }
  const livez = await new Client().get('/livez');
  expect([livez.status, livez.text]).toEqual([200, 'ok\n']);
});

test('[F2] nobody without the secret chooses who answers', async () => {
  const { slug } = await newSale();
  const policyFor = async (headers: Record<string, string>) =>
    (await new Client().get(`/sales/${slug}`, { headers })).headers.get('content-security-policy');
  expect(await policyFor({})).toMatch(/script-src 'self' 'sha256-/);
  expect(await policyFor({ 'x-seckill-lane': 'guess' })).toMatch(/script-src 'self' 'sha256-/);
  // With it Next answers, whose policy can't name the scripts: the comparisons above compare two adapters.
  expect(await policyFor({ 'x-seckill-lane': laneSecret() })).not.toContain('script-src');
});
