// Also: without-plain-http
import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { type Asked, expectSame } from '../support/both-ways';
import { Client } from '../support/client';
import { fastPathSecret } from '../support/fast-path-secret';
import { expectProblem } from '../support/problem';
import { buy, enter, gateOf, newSale } from '../support/sales';

/** Until the start of a sale that can be entered already: it starts in no test, however slow the machine is. */
const SOON_MS = 9 * 60_000;

test('[C1 F2] the fast path and the route handlers answer purchases alike', async () => {
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
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    await expectSame({ method, path }, method === 'OPTIONS' ? 204 : 405);
  }

  await new Client().post(path, undefined, { headers: { 'x-entry-token': token } });
  await expectSame(post(path, token), 202);
  await buy(rich, saleId, 2);
  await expectSame(post(path, await enter(other, saleId)), 409);
  await expectSame(post(path, await enter(rich, saleId)), 409);
  await expectSame(post(path, token), 202);
  await expectSame(post(path, token, { quantity: 2 }), 422);

  const merchant = await demoMerchant();
  await merchant.post(`/api/admin/sales/${elsewhere.saleId}/pause`);
  const there = `/api/sales/${elsewhere.saleId}/purchase/x`;
  await expectSame(post(there, await enter(other, elsewhere.saleId)), 409);
  const late = await enter(other, elsewhere.saleId);
  await merchant.post(`/api/admin/sales/${elsewhere.saleId}/close`);
  await expectSame(post(there, late), 409);
  const early = await newSale({ startsAt: Date.now() + SOON_MS });
  await expectSame(post(`/api/sales/${early.saleId}/purchase/x`, await enter(other, early.saleId)), 409);
});

test('[A3 B3] … and state, orders and health', async () => {
  const [shopper, { saleId }, early] = await Promise.all([
    newShopper(),
    newSale({ limitPerUser: 2 }),
    newSale({ startsAt: Date.now() + SOON_MS }),
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
    '/api/sales/nowhere/events',
    `/api/sales/${'x'.repeat(300)}/events`,
    order,
    '/api/orders/0',
    '/api/orders/x',
    '/api/orders/99999999999999999999',
  ]) {
    await expectSame({ method: 'GET', path: target });
    await expectSame({ method: 'POST', path: target });
    await expectSame({ method: 'HEAD', path: target });
  }
  // Waits until the order is written, so that both adapters see the same order.
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

const INTERFACES = [
  ['GET, HEAD, OPTIONS', '/api/openapi.json'],
  ['GET, HEAD, OPTIONS', '/readyz'],
  ['GET, HEAD, OPTIONS', '/api/sales'],
  ['GET, HEAD, OPTIONS', '/api/sales/x/state'],
  ['POST, OPTIONS', '/api/sales/x/entry'],
  ['POST, OPTIONS', '/api/sales/x/challenge'],
  ['POST, OPTIONS', '/api/sales/x/purchase/y'],
  ['GET, HEAD, OPTIONS', '/api/orders'],
  ['GET, HEAD, OPTIONS', '/api/orders/123'],
  ['POST, OPTIONS', '/api/orders/123/pay'],
  ['POST, OPTIONS', '/api/payments/webhooks/sandbox'],
  ['POST, OPTIONS', '/api/register'],
  ['GET, HEAD, POST, OPTIONS', '/api/admin/sales'],
  ['PATCH, OPTIONS', '/api/admin/products/x'],
  ['GET, HEAD, PATCH, OPTIONS', '/api/admin/orders/123'],
  ['POST, OPTIONS', '/api/admin/orders/123/refund'],
  ['GET, HEAD, OPTIONS', '/api/notifications'],
  ['GET, HEAD, OPTIONS', '/api/admin/sales/x/live'],
  ['GET, HEAD, OPTIONS', '/api/admin/sales/x/live/events'],
  ['GET, HEAD, POST, OPTIONS', '/api/auth/csrf'],
  ['GET, HEAD, POST, PUT, OPTIONS', '/api/inngest'],
] as const;

test('[L3] a method that an interface does not serve: 405 that says which it does, whoever answers', async () => {
  for (const [allow, path] of INTERFACES) {
    const served = allow.split(', ');
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (served.includes(method)) continue;
      const answer = await new Client().request(method, path);
      expect(answer.headers.get('allow'), `${method} ${path}`).toBe(allow);
      if (method === 'HEAD') expect([answer.status, answer.text]).toEqual([405, '']);
      else expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
      await expectSame({ method, path }, 405);
    }
    const options = await new Client().request('OPTIONS', path);
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
    await expectSame({ method: 'OPTIONS', path }, 204);
  }
});

test('[L3] HEAD says what GET would, without a body', async () => {
  const { saleId, slug } = await newSale();
  for (const path of [`/api/sales/${saleId}/state`, '/api/sales', '/livez', '/readyz', `/sales/${slug}`]) {
    // The start of a sale changes how long an answer may be kept; then all three are asked again.
    await expect(async () => {
      const before = await new Client().get(path);
      const head = await new Client().request('HEAD', path);
      const after = await new Client().get(path);
      expect([head.status, head.text], path).toEqual([200, '']);
      for (const name of ['content-type', 'cache-control']) {
        expect(after.headers.get(name), path).toBe(before.headers.get(name));
        expect(head.headers.get(name), path).toBe(before.headers.get(name));
      }
    }).toPass({ timeout: 150_000 });
  }
});

test('[F2] nobody without the secret chooses who answers', async () => {
  const { slug } = await newSale();
  const encodingFor = async (headers: Record<string, string>) => {
    const asked = { headers: { ...headers, 'accept-encoding': 'br' } };
    return (await new Client().get(`/sales/${slug}`, asked)).headers.get('content-encoding');
  };
  expect(await encodingFor({})).toBe('br');
  expect(await encodingFor({ 'x-seckill-lane': 'guess' })).toBe('br');
  // With the secret Next answers, and Next compresses no page. So the comparisons above really compare two adapters.
  expect(await encodingFor({ 'x-seckill-lane': fastPathSecret() })).toBeNull();
});
