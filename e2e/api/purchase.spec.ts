// Also: without-fast-path, two-web-processes, on-a-cluster
import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { expectProblem } from '../support/problem';
import {
  availableOf,
  buy,
  enter,
  expectAvailable,
  expectOrder,
  expectState,
  gateOf,
  newSale,
  purchase,
  stateOf,
} from '../support/sales';

const anybody = new Client();

test.describe('entry', () => {
  test('[F2] gives a signed-in shopper a token, a new one each time', async () => {
    const [shopper, { saleId }] = await Promise.all([newShopper(), newSale()]);
    const { status, headers, body } = await shopper.client.post(`/api/sales/${saleId}/entry`, {});
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ entryToken: expect.any(String), expiresAt: expect.any(Number) });
    expect(Number(body.expiresAt)).toBeGreaterThan(Date.now());
    expect(await enter(shopper, saleId)).not.toBe(body.entryToken);
  });

  test('[F2] refuses strangers, other sites, and sales that are closed to it', async () => {
    const [{ client }, { saleId }] = await Promise.all([newShopper(), newSale()]);
    const path = `/api/sales/${saleId}/entry`;
    expectProblem(await anybody.post(path), 401, 'UNAUTHENTICATED');
    expectProblem(await client.post(path, {}, { isSameOrigin: false }), 403, 'CSRF');
    expectProblem(await client.post(path, {}, { headers: { origin: 'https://evil.example' } }), 403, 'CSRF');
    expectProblem(await client.post(path, {}, { headers: { origin: 'null' } }), 403, 'CSRF');
    expectProblem(await client.post(path, '{}', { headers: { 'content-type': 'text/plain' } }), 403, 'CSRF');
    expectProblem(await client.post(path, '{"challenge":'), 400, 'MALFORMED');
    expectProblem(await client.post(path, { challenge: 'yes' }), 422, 'VALIDATION');
    expectProblem(
      await client.post(path, { challenge: { challengeId: 'x'.repeat(20_000), answer: '' } }),
      413,
      'TOO_LARGE',
    );
    expectProblem(await client.post('/api/sales/sale_nowhere/entry'), 404, 'SALE_NOT_FOUND');

    const startsAt = Date.now() + 3_600_000;
    const early = await newSale({ startsAt, endsAt: startsAt + 1000, entryOpensAt: startsAt - 1000 });
    const refused = await client.post(`/api/sales/${early.saleId}/entry`);
    expectProblem(refused, 409, 'ENTRY_NOT_OPEN');
    expect(refused.body.entryOpensAt).toBe(startsAt - 1000);

    const members = await newSale({ minLevel: 3 });
    expectProblem(await client.post(`/api/sales/${members.saleId}/entry`), 403, 'LEVEL_TOO_LOW');

    await (await demoMerchant()).post(`/api/admin/sales/${saleId}/close`);
    // No purchase is accepted from then on; the entry learns of it within a second.
    await expect(async () => expectProblem(await client.post(path), 410, 'SALE_ENDED')).toPass();
  });
});

test.describe('purchase', () => {
  test('[C1 E1 F1 F2] answers queued, and the same token gets the same order number again', async () => {
    const [shopper, { saleId }] = await Promise.all([newShopper(), newSale({ totalStock: 5 })]);
    const [gate, token] = [await gateOf(saleId), await enter(shopper, saleId)];
    const first = await purchase(saleId, gate, token);
    expect(first.status).toBe(202);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.body).toEqual({
      orderNo: expect.stringMatching(/^[1-9]\d{10,18}$/),
      status: 'queued',
      replay: false,
    });
    const { orderNo } = first.body;
    const repeats = await Promise.all(
      Array.from({ length: 5 }, () => purchase(saleId, gate, token, { quantity: 1 })),
    );
    for (const repeat of repeats) {
      expect(repeat.status).toBe(202);
      expect(repeat.body).toEqual({ orderNo, status: 'queued', replay: true });
    }
    const other = await purchase(saleId, gate, token, { quantity: 2 });
    expectProblem(other, 422, 'IDEMPOTENCY_MISMATCH');
    expect(other.body).toMatchObject({ orderNo, quantity: 1 });
    await expectOrder(shopper, String(orderNo), 'pending_payment');
    await expectAvailable(saleId, 4);
    expect((await shopper.client.get('/api/orders')).body.orders).toHaveLength(1);
  });

  test('[F2] needs a token of this sale that nobody has touched', async () => {
    const [shopper, here, elsewhere] = await Promise.all([newShopper(), newSale(), newSale()]);
    const [gate, token] = [await gateOf(here.saleId), await enter(shopper, here.saleId)];
    const middle = Math.floor(token.length / 2);
    const flipped = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
    const wrong = [
      flipped,
      `${token}x`,
      token.slice(0, -2),
      '',
      '.',
      'nonsense',
      'x'.repeat(5000),
      await enter(shopper, elsewhere.saleId),
    ];
    for (const entryToken of wrong) {
      expectProblem(await purchase(here.saleId, gate, entryToken), 401, 'ENTRY_INVALID');
    }
    expectProblem(await anybody.post(`/api/sales/${here.saleId}/purchase/${gate}`), 401, 'ENTRY_INVALID');
    // The session alone is not enough without an entry token.
    expectProblem(
      await shopper.client.post(`/api/sales/${here.saleId}/purchase/${gate}`),
      401,
      'ENTRY_INVALID',
    );
    expect(await availableOf(here.saleId)).toBe(10);
  });

  test('[A4] needs the gate', async () => {
    const [shopper, { saleId }, other] = await Promise.all([newShopper(), newSale(), newSale()]);
    const token = await enter(shopper, saleId);
    for (const gate of ['x', 'null', 'a%2Fb', await gateOf(other.saleId), 'x'.repeat(300)]) {
      expectProblem(await purchase(saleId, gate, token), 403, 'GATE_INVALID');
    }
    expect(await availableOf(saleId)).toBe(10);
  });

  test('[C1] refuses every quantity that is none', async () => {
    const [shopper, { saleId }] = await Promise.all([newShopper(), newSale({ limitPerUser: 5 })]);
    const [gate, token] = [await gateOf(saleId), await enter(shopper, saleId)];
    for (const quantity of [0, -1, 1.5, 1e9, 'NaN', '1', null, true, [], {}, Number.MAX_SAFE_INTEGER]) {
      expectProblem(await purchase(saleId, gate, token, { quantity }), 422, 'INVALID_QUANTITY');
    }
    for (const body of ['[]', 'null', '7', '"1"']) {
      expectProblem(await purchase(saleId, gate, token, body), 422, 'INVALID_QUANTITY');
    }
    expectProblem(await purchase(saleId, gate, token, '{"quantity":'), 400, 'MALFORMED');
    expectProblem(
      await purchase(saleId, gate, token, { quantity: 1, more: 'x'.repeat(2000) }),
      413,
      'TOO_LARGE',
    );
    expect(await availableOf(saleId)).toBe(10);
    expect((await purchase(saleId, gate, token, { quantity: 5 })).status).toBe(202);
    await expectAvailable(saleId, 5);
  });

  test('[C1] is refused before the start, while paused, and after the end', async () => {
    const shopper = await newShopper();
    const { saleId: early } = await newSale({ startsAt: Date.now() + 9 * 60_000 });
    expectProblem(await purchase(early, 'x', await enter(shopper, early)), 409, 'NOT_STARTED');

    const { saleId } = await newSale();
    const [gate, token, merchant] = [
      await gateOf(saleId),
      await enter(shopper, saleId),
      await demoMerchant(),
    ];
    await merchant.post(`/api/admin/sales/${saleId}/pause`);
    expectProblem(await purchase(saleId, gate, token), 409, 'PAUSED');
    await merchant.post(`/api/admin/sales/${saleId}/resume`);
    await merchant.post(`/api/admin/sales/${saleId}/close`);
    expectProblem(await purchase(saleId, gate, token), 409, 'ENDED');

    // Makes a sale that is entered in time; on a busy machine one may end before that.
    const makeBrief = async (
      lastsMs: number,
    ): Promise<{ brief: string; briefGate: string; briefToken: string }> => {
      const { saleId: brief } = await newSale({ endsAt: Date.now() + lastsMs });
      const { gate: briefGate } = await stateOf(brief);
      const entered = await shopper.client.post(`/api/sales/${brief}/entry`);
      if (!briefGate || entered.status === 410) return makeBrief(lastsMs * 2);
      expect(entered.status, entered.text).toBe(200);
      return { brief, briefGate: String(briefGate), briefToken: String(entered.body.entryToken) };
    };
    const { brief, briefGate, briefToken } = await makeBrief(15_000);
    const statusNow = async () => (await stateOf(brief)).status;
    await expect.poll(statusNow, { intervals: [50], timeout: 240_000 }).toBe('ended');
    expectProblem(await purchase(brief, briefGate, briefToken), 409, 'ENDED');
  });

  test('[C1] says sold out and what is left', async () => {
    const [first, second, { saleId }] = await Promise.all([
      newShopper(),
      newShopper(),
      newSale({ totalStock: 3, limitPerUser: 3 }),
    ]);
    const gate = await gateOf(saleId);
    expect((await purchase(saleId, gate, await enter(first, saleId), { quantity: 2 })).status).toBe(202);
    const token = await enter(second, saleId);
    const tooMany = await purchase(saleId, gate, token, { quantity: 2 });
    expectProblem(tooMany, 409, 'SOLD_OUT');
    expect(tooMany.body).toMatchObject({ title: 'Fewer are left', available: 1 });
    expect(tooMany.body.detail).toBe('1 left: ask for no more than that.');
    // A refusal does not use the token up: it can still buy the units that are left.
    expect((await purchase(saleId, gate, token)).status).toBe(202);
    const none = await purchase(saleId, gate, await enter(second, saleId));
    expectProblem(none, 409, 'SOLD_OUT');
    expect(none.body).toMatchObject({ title: 'Sold out', available: 0 });
    await expectState(saleId, { status: 'sold_out', stock: { available: 0 } });
  });

  test('[C1] keeps to the limit per user and names the order that used it', async () => {
    const [shopper, { saleId }] = await Promise.all([newShopper(), newSale({ limitPerUser: 2 })]);
    const gate = await gateOf(saleId);
    const over = await purchase(saleId, gate, await enter(shopper, saleId), { quantity: 3 });
    expectProblem(over, 409, 'LIMIT_REACHED');
    expect(over.body).toMatchObject({ limitPerUser: 2 });
    expect(over.body).not.toHaveProperty('orderNo');
    expect(over.body.detail).toContain('One person may have 2');
    const orderNo = await buy(shopper, saleId, 2);
    const reached = await purchase(saleId, gate, await enter(shopper, saleId));
    expectProblem(reached, 409, 'LIMIT_REACHED');
    expect(reached.body.orderNo).toBe(orderNo);
    await expectAvailable(saleId, 8);
  });

  test('[C1] knows no sale that does not exist', async () => {
    const [shopper, { saleId }] = await Promise.all([newShopper(), newSale()]);
    const token = await enter(shopper, saleId);
    for (const id of ['sale_nowhere', 'x'.repeat(300)]) {
      expectProblem(await purchase(id, 'x', token), 404, 'SALE_NOT_FOUND');
    }
    expect((await anybody.get(`/api/sales/${saleId}/purchase/x`)).status).toBe(405);
  });
});
