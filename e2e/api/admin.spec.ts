import { expect, test } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper, unique } from '../support/accounts';
import { Client } from '../support/client';
import { expectProblem } from '../support/problem';
import {
  buy,
  enter,
  expectOrder,
  gateOf,
  newDraft,
  newProduct,
  newSale,
  purchase,
  saleInput,
  stateOf,
} from '../support/sales';

const endpoints = (saleId: string): [string, string][] => [
  ['GET', '/api/admin/products'],
  ['POST', '/api/admin/products'],
  ['GET', '/api/admin/sales'],
  ['POST', '/api/admin/sales'],
  ...['publish', 'pause', 'resume', 'close', 'stock'].map((verb): [string, string] => [
    'POST',
    `/api/admin/sales/${saleId}/${verb}`,
  ]),
  ['GET', `/api/admin/sales/${saleId}/live`],
  ['PATCH', `/api/admin/sales/${saleId}/limits`],
  ['PATCH', '/api/admin/orders/1'],
];

test('[L4] is for merchants, operators and admins, from our own pages only', async () => {
  const [{ client: shopper }, merchant, { saleId }] = await Promise.all([
    newShopper(),
    demoMerchant(),
    newSale(),
  ]);
  for (const [method, path] of endpoints(saleId)) {
    expectProblem(await new Client().request(method, path), 401, 'UNAUTHENTICATED');
    expectProblem(await shopper.request(method, path), 403, 'FORBIDDEN');
    if (method === 'GET') continue;
    expectProblem(await merchant.request(method, path, { isSameOrigin: false }), 403, 'CSRF');
    expectProblem(
      await merchant.request(method, path, { headers: { origin: 'https://evil.example' } }),
      403,
      'CSRF',
    );
  }
  expect(await stateOf(saleId)).toMatchObject({ status: 'live' });
});

test('[L4] hides what belongs to another merchant, and shows an admin everything', async () => {
  const admin = await demoAdmin();
  const productId = await newProduct(admin);
  const created = await admin.post('/api/admin/sales', saleInput({ productId }));
  expect(created.status, created.text).toBe(201);
  const saleId = String(created.body.saleId);
  await admin.post(`/api/admin/sales/${saleId}/publish`);
  const buyer = await newShopper();
  const orderNo = await buy(buyer, saleId);

  const merchant = await demoMerchant();
  for (const verb of ['publish', 'pause', 'resume', 'close']) {
    expectProblem(await merchant.post(`/api/admin/sales/${saleId}/${verb}`), 404, 'SALE_NOT_FOUND');
  }
  expectProblem(
    await merchant.post(`/api/admin/sales/${saleId}/stock`, { delta: 1, reason: 'x' }),
    404,
    'SALE_NOT_FOUND',
  );
  expectProblem(await merchant.get(`/api/admin/sales/${saleId}/live`), 404, 'SALE_NOT_FOUND');
  expectProblem(
    await merchant.request('PATCH', `/api/admin/products/${productId}`, { body: { name: 'x', version: 1 } }),
    404,
    'NOT_FOUND',
  );
  expectProblem(
    await merchant.request('PATCH', `/api/admin/orders/${orderNo}`, { body: { priceMinor: 1, version: 1 } }),
    404,
    'ORDER_NOT_FOUND',
  );
  expectProblem(await merchant.post('/api/admin/sales', saleInput({ productId })), 422, 'VALIDATION');
  const own = (await merchant.get('/api/admin/sales?limit=100')).body.sales as { saleId: string }[];
  expect(own.map((sale) => sale.saleId)).not.toContain(saleId);
  expect(await stateOf(saleId)).toMatchObject({ status: 'live' });

  const mine = await newDraft();
  expect((await admin.get(`/api/admin/sales/${mine.saleId}/live`)).status).toBe(200);
});

test('[A1 L4] creates products and refuses wrong ones', async () => {
  const merchant = await demoMerchant();
  const product = {
    slug: `p-${unique()}`,
    name: 'Name',
    description: '',
    imageUrl: '/products/x.svg',
    attributes: { a: 'b' },
  };
  const created = await merchant.post('/api/admin/products', product);
  expect(created.status, created.text).toBe(201);
  expect(created.body).toMatchObject({ productId: expect.any(String), version: 1, slug: product.slug });
  expectProblem(await merchant.post('/api/admin/products', product), 409, 'SLUG_TAKEN');
  const wrong: Record<string, unknown>[] = [
    { slug: 'No Spaces' },
    { slug: '-x' },
    { slug: 'x'.repeat(81) },
    { slug: undefined },
    { name: '' },
    { name: 'x'.repeat(201) },
    { name: 7 },
    { name: 'a\u0000b' },
    { description: 'a\u0000b' },
    { imageUrl: 'javascript:alert(1)' },
    { imageUrl: '//evil.example/x' },
    { attributes: { a: 1 } },
    { attributes: { 'a\u0000': 'b' } },
  ];
  for (const change of wrong) {
    expectProblem(
      await merchant.post('/api/admin/products', { ...product, slug: `p-${unique()}`, ...change }),
      422,
      'VALIDATION',
    );
  }
  expectProblem(
    await merchant.post('/api/admin/products', { ...product, description: 'x'.repeat(200_000) }),
    413,
    'TOO_LARGE',
  );

  const path = `/api/admin/products/${created.body.productId}`;
  const edited = await merchant.request('PATCH', path, { body: { name: 'Better', version: 1 } });
  expect(edited.body).toMatchObject({ name: 'Better', version: 2 });
  const stale = await merchant.request('PATCH', path, { body: { name: 'Late', version: 1 } });
  expectProblem(stale, 409, 'VERSION_CONFLICT');
  expect(stale.body.version).toBe(2);
});

test('[L4] refuses sales that make no sense, field by field', async () => {
  const merchant = await demoMerchant();
  const productId = await newProduct();
  const now = Date.now();
  const wrong: Record<string, unknown>[] = [
    ...[0, -1, 1.5, 1e10, 'NaN', '100', null].map((priceMinor) => ({ priceMinor })),
    ...[-2, 1.5, 1e10, 'NaN', null].map((totalStock) => ({ totalStock })),
    ...[0, -1, 1001, 1.5, '1'].map((limitPerUser) => ({ limitPerUser })),
    ...[4, 604_801, '900'].map((paymentWindowSec) => ({ paymentWindowSec })),
    ...[0, 61, 1.5, '10', null].map((clickLockSec) => ({ clickLockSec })),
    ...[0, 17, 1.5, '4', null].map((slices) => ({ slices })),
    { slices: 2, strategy: 'lock' },
    ...['EURO', 'eur', '', 'XXX1', null].map((currency) => ({ currency })),
    ...['', ' ', 'x'.repeat(201), 7, 'a\u0000b'].map((title) => ({ title })),
    { startsAt: now, endsAt: now },
    { startsAt: -1 },
    { endsAt: 1e18 },
    { startsAt: 'now' },
    { entryOpensAt: now + 1e7 },
    { listPriceMinor: 1 },
    { priceMinor: 1e9, limitPerUser: 1000 },
    { minLevel: -1 },
    { productId: 'product_nowhere' },
    { challenge: 'riddle' },
    { onStockOutage: 'maybe' },
  ];
  for (const change of wrong) {
    const answer = await merchant.post('/api/admin/sales', { ...saleInput({ productId }), ...change });
    expectProblem(answer, 422, 'VALIDATION');
    expect(answer.body.fields, JSON.stringify(change)).not.toEqual([]);
  }
  const created = await merchant.post('/api/admin/sales', saleInput({ productId }));
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ saleId: expect.any(String), slug: expect.any(String), version: 1 });
});

test('[B2] publishes, pauses, resumes and closes, each when it makes sense', async () => {
  const merchant = await demoMerchant();
  const { saleId } = await newDraft();
  const act = (verb: string) => merchant.post(`/api/admin/sales/${saleId}/${verb}`);
  for (const verb of ['pause', 'resume', 'close']) expectProblem(await act(verb), 409, 'SALE_STATE');
  expectProblem(
    await merchant.post(`/api/admin/sales/${saleId}/stock`, { delta: 1, reason: 'x' }),
    409,
    'SALE_STATE',
  );

  for (const [verb, expected] of [
    ['publish', { status: 'published', paused: false }],
    ['publish', { status: 'published', paused: false }],
    ['pause', { status: 'published', paused: true }],
    ['pause', { status: 'published', paused: true }],
    ['resume', { status: 'published', paused: false }],
    ['close', { status: 'closed' }],
    ['close', { status: 'closed' }],
  ] as const) {
    const answer = await act(verb);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ saleId, ...expected });
  }
  for (const verb of ['publish', 'pause', 'resume']) expectProblem(await act(verb), 409, 'SALE_STATE');
  expectProblem(await merchant.post('/api/admin/sales/sale_nowhere/publish'), 404, 'SALE_NOT_FOUND');
});

test('[C5 C6] adds stock and takes back only what nobody has', async () => {
  const [merchant, shopper, { saleId }] = await Promise.all([
    demoMerchant(),
    newShopper(),
    newSale({ totalStock: 2 }),
  ]);
  await buy(shopper, saleId);
  // Each with a name of its own: a change whose answer is lost is asked for again.
  const change = (delta: unknown, reason: unknown = 'recount') =>
    merchant.post(`/api/admin/sales/${saleId}/stock`, { delta, reason, requestId: unique() });
  expect((await change(3)).body.stock).toEqual({ total: 5, available: 4, held: 1, sold: 0 });
  const tooMany = await change(-5);
  expectProblem(tooMany, 409, 'STOCK_BELOW_COMMITTED');
  expect(tooMany.body.available).toBe(4);
  expect((await change(-4)).body.stock).toEqual({ total: 1, available: 0, held: 1, sold: 0 });
  const named = (requestId: unknown) =>
    merchant.post(`/api/admin/sales/${saleId}/stock`, { delta: 2, reason: 'no answer came', requestId });
  for (const _ of [1, 2])
    expect((await named('request-1')).body.stock).toEqual({ total: 3, available: 2, held: 1, sold: 0 });
  for (const requestId of ['', 'short', 'x'.repeat(65), 'with space', 7])
    expectProblem(await named(requestId), 422, 'VALIDATION');
  for (const delta of [0, 1.5, 1e10, -1e10, 'NaN', '1', null])
    expectProblem(await change(delta), 422, 'VALIDATION');
  const beyond = await change(1e9);
  expectProblem(beyond, 422, 'VALIDATION');
  expect(beyond.body.fields).toEqual([{ path: 'delta', message: 'no more than 1000000000 units in all' }]);
  for (const reason of ['', ' ', 7, 'x'.repeat(501)])
    expectProblem(await change(1, reason), 422, 'VALIDATION');
  expectProblem(await merchant.post(`/api/admin/sales/${saleId}/stock`, 'nonsense'), 400, 'MALFORMED');
  const unlimited = await newSale({ totalStock: -1 });
  expectProblem(
    await merchant.post(`/api/admin/sales/${unlimited.saleId}/stock`, { delta: 1, reason: 'x' }),
    409,
    'STOCK_UNLIMITED',
  );
});

test('[C5 E10 J5] shows a running sale in numbers, with its invariants', async () => {
  const [merchant, shopper, { saleId }] = await Promise.all([
    demoMerchant(),
    newShopper(),
    newSale({ totalStock: 2 }),
  ]);
  // The rate falls to nothing ten seconds later, which is less than a busy machine may need: the highest counts.
  let highest = 0;
  const live = async () => {
    const { body } = await merchant.get(`/api/admin/sales/${saleId}/live`);
    highest = Math.max(highest, (body.queue as { ordersPerSec: number | null }).ordersPerSec ?? 0);
    return body;
  };
  expect((await live()).queue).toMatchObject({ ordersPerSec: null });
  const bought = await purchase(saleId, await gateOf(saleId), await enter(shopper, saleId));
  expect(bought.status, bought.text).toBe(202);
  const accepted = async () => ((await live()).attempts as { accepted: number }).accepted;
  await expect.poll(accepted).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      await live();
      return highest;
    })
    .toBeGreaterThan(0);
  await expect.poll(live).toMatchObject({
    stock: { total: 2, available: 1, held: 1, sold: 0 },
    database: { held: 1, sold: 0 },
    queue: {
      undecided: 0,
      outbox: 0,
      relayLagMs: expect.any(Number),
      deadLetters: 0,
      ordersPerSec: expect.any(Number),
    },
    // A count whose writing Redis confirms too late is written again; one whose answer was lost comes again.
    attempts: {
      accepted: expect.any(Number),
      replayed: bought.lost > 0 ? expect.any(Number) : 0,
      soldOut: 0,
      rateLimited: 0,
      rejected: bought.lost > 0 ? expect.any(Number) : 0,
    },
    risk: { hits: 0 },
    invariants: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, ok: true, detail: expect.any(String) })),
  });
  expectProblem(await merchant.get('/api/admin/sales/sale_nowhere/live'), 404, 'SALE_NOT_FOUND');
});

test('[F3] changes an unpaid order’s price only from its current version', async () => {
  const [merchant, shopper, { saleId }] = await Promise.all([demoMerchant(), newShopper(), newSale()]);
  const path = `/api/admin/orders/${await buy(shopper, saleId)}`;
  const order = path.replace('/admin', '');
  const { version } = (await shopper.client.get(order)).body;
  const change = (priceMinor: unknown, from: unknown = version) =>
    merchant.request('PATCH', path, { body: { priceMinor, version: from } });
  const changed = await change(3900);
  expect(changed.status, changed.text).toBe(200);
  expect((await shopper.client.get(order)).body).toMatchObject({
    amountMinor: 3900,
    version: Number(version) + 1,
  });
  const stale = await change(3800);
  expectProblem(stale, 409, 'VERSION_CONFLICT');
  expect(stale.body).toMatchObject({ version: Number(version) + 1, priceMinor: 3900 });
  for (const price of [0, -1, 1.5, 1e10, 'NaN', null]) expectProblem(await change(price), 422, 'VALIDATION');
  expectProblem(await change(1, 'one'), 422, 'VALIDATION');
  expectProblem(
    await merchant.request('PATCH', '/api/admin/orders/123', { body: { priceMinor: 1, version: 1 } }),
    404,
    'ORDER_NOT_FOUND',
  );
  const orderNo = order.split('/').at(-1) ?? '';
  await shopper.client.post(`/api/orders/${orderNo}/cancel`);
  await expectOrder(shopper, orderNo, 'cancelled');
  const { version: latest } = (await shopper.client.get(order)).body;
  expectProblem(await change(3700, latest), 409, 'ORDER_NOT_PAYABLE');
});

test('[L4] pages through sales and products without losing one', async () => {
  const merchant = await demoMerchant();
  const productId = await newProduct();
  const created = await Promise.all([1, 2, 3].map(() => newDraft({ productId })));
  for (const [list, id, expected] of [
    ['sales', 'saleId', created.map(({ saleId }) => saleId)],
    ['products', 'productId', [productId]],
  ] as const) {
    const seen: unknown[] = [];
    let cursor: unknown = '';
    for (let pages = 0; pages < 50 && !expected.every((one) => seen.includes(one)); pages += 1) {
      const { body } = await merchant.get(`/api/admin/${list}?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...(body[list] as Record<string, unknown>[]).map((row) => row[id]));
      cursor = body.nextCursor;
      if (!cursor) break;
    }
    expect(seen).toEqual(expect.arrayContaining([...expected]));
    expect(new Set(seen).size).toBe(seen.length);
    for (const query of ['limit=0', 'limit=101', 'cursor=%00']) {
      expectProblem(await merchant.get(`/api/admin/${list}?${query}`), 422, 'VALIDATION');
    }
    expect((await merchant.get(`/api/admin/${list}?cursor=AAAA`)).status).toBeLessThan(500);
  }
});

test('[A2] tells which pages a CDN should have before the crowd comes', async () => {
  const [merchant, { saleId, slug }] = await Promise.all([demoMerchant(), newSale()]);
  const { status, body } = await merchant.get(`/api/admin/sales/${saleId}/prewarm`);
  expect(status).toBe(200);
  expect(body.paths).toEqual(['/', '/zh-CN', `/sales/${slug}`, `/zh-CN/sales/${slug}`]);
  for (const path of body.paths as string[]) {
    const page = await new Client().get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toMatch(/s-maxage=\d+/);
  }
  expectProblem(await merchant.get('/api/admin/sales/sale_nowhere/prewarm'), 404, 'SALE_NOT_FOUND');
  expectProblem(await new Client().get(`/api/admin/sales/${saleId}/prewarm`), 401, 'UNAUTHENTICATED');
});

test('[B6] lists what could not be synchronised, for merchants only', async () => {
  const [merchant, shopper] = await Promise.all([demoMerchant(), newShopper()]);
  const { status, body } = await merchant.get('/api/admin/sync-failures');
  expect(status).toBe(200);
  expect(body).toEqual({ failures: expect.any(Array), nextCursor: null });
  for (const query of ['limit=0', 'limit=101', 'cursor=%00']) {
    expectProblem(await merchant.get(`/api/admin/sync-failures?${query}`), 422, 'VALIDATION');
  }
  expect((await merchant.get('/api/admin/sync-failures?cursor=AAAA')).status).toBe(200);
  expectProblem(await shopper.client.get('/api/admin/sync-failures'), 403, 'FORBIDDEN');
  expectProblem(await new Client().get('/api/admin/sync-failures'), 401, 'UNAUTHENTICATED');
});
