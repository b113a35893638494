// Also: two-web-processes
import { expect, test } from '@playwright/test';
import { demoMerchant } from '../support/accounts';
import { Client } from '../support/client';
import { expectProblem } from '../support/problem';
import { expectState, newDraft, newSale, stateOf } from '../support/sales';

const anybody = new Client();
const NOBODYS_IDS = [
  'sale_nowhere',
  'a%2Fb',
  '%F0%9F%92%A5',
  '-1',
  'x'.repeat(500),
  '1;DROP%20TABLE%20sales',
];

test('[L4] lists sales by pages, with what is left of each', async () => {
  await newSale();
  const { status, headers, body } = await anybody.get('/api/sales?limit=100');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toMatch(/^(no-store|public, max-age=1(, stale-if-error=5)?)$/);
  const sales = body.sales as Record<string, unknown>[];
  for (const sale of sales) {
    expect(sale).toMatchObject({
      saleId: expect.any(String),
      slug: expect.any(String),
      title: expect.any(String),
      priceMinor: expect.any(Number),
      currency: expect.stringMatching(/^[A-Z]{3}$/),
      startsAt: expect.any(Number),
      endsAt: expect.any(Number),
      status: expect.stringMatching(/^(scheduled|live|paused|sold_out|ended)$/),
      stock: { total: expect.any(Number), available: expect.any(Number) },
    });
    expect(sale).not.toHaveProperty('gate');
  }
  // A sale that ends between two pages moves to a later one; then they are read anew.
  await expect(async () => {
    const seen: unknown[] = [];
    for (let cursor = '', pages = 0; pages < 3; pages += 1) {
      const page = (await anybody.get(`/api/sales?limit=2${cursor && `&cursor=${cursor}`}`)).body;
      seen.push(...(page.sales as { saleId: string }[]).map(({ saleId }) => saleId));
      cursor = String(page.nextCursor);
    }
    expect(new Set(seen).size).toBe(6);
  }).toPass({ timeout: 150_000 });
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=NaN',
    'limit=-1',
    'cursor=%00',
    `cursor=${'x'.repeat(300)}`,
  ]) {
    expectProblem(await anybody.get(`/api/sales?${query}`), 422, 'VALIDATION');
  }
  for (const cursor of ['AAAA', 'bnVsbA', '_w'])
    expect((await anybody.get(`/api/sales?cursor=${cursor}`)).status).toBeLessThan(500);
});

test('[A4] keeps the gate to itself until the start', async () => {
  const { saleId } = await newSale({ startsAt: Date.now() + 9 * 60_000 });
  expect(await stateOf(saleId)).toMatchObject({
    saleId,
    status: 'scheduled',
    gate: null,
    stock: { total: 10, available: 10 },
  });
  const live = await newSale();
  const state = await stateOf(live.saleId);
  expect(state).toMatchObject({ status: 'live', gate: expect.stringMatching(/^[\w-]{16,}$/) });
  // A kept answer holds the time at which it was made; a later one holds a later time.
  const from = Date.now();
  expect(Number(state.serverTime)).toBeLessThanOrEqual(from);
  await expect.poll(async () => Number((await stateOf(live.saleId)).serverTime)).toBeGreaterThan(from);
});

test('[A3 A4] never says live before the start, and is never cacheable across it', async () => {
  type Seen = { serverTime: number; status: string; isCacheable: boolean; gate: unknown };
  /** Asks for the state of a sale that starts in so many ms until it is live. */
  const watch = async (aheadMs: number): Promise<Seen[]> => {
    const startsAt = Date.now() + aheadMs;
    const { saleId } = await newSale({ startsAt });
    const answers: Seen[] = [];
    const ask = async () => {
      const { headers, body } = await anybody.get(`/api/sales/${saleId}/state`);
      const isCacheable = headers.get('cache-control') !== 'no-store';
      if (isCacheable)
        expect(headers.get('cache-control')).toMatch(/^public, max-age=1(, stale-if-error=5)?$/);
      const [serverTime, status] = [Number(body.serverTime), String(body.status)];
      answers.push({ serverTime, status, isCacheable, gate: body.gate });
      return status;
    };
    await expect.poll(ask, { intervals: [20], timeout: 120_000 }).toBe('live');
    for (const { serverTime, status, isCacheable, gate } of answers) {
      expect(status).toBe(serverTime >= startsAt ? 'live' : 'scheduled');
      expect(gate === null).toBe(serverTime < startsAt);
      if (isCacheable && serverTime < startsAt) expect(serverTime + 2000).toBeLessThan(startsAt);
    }
    return answers;
  };
  // A busy machine may stand still in the moments before the start, which are what matters.
  const seen: Seen[] = [];
  for (let aheadMs = 6_000; aheadMs < 60_000 && seen.every(({ isCacheable }) => isCacheable); aheadMs *= 2)
    seen.push(...(await watch(aheadMs)));
  expect(seen.some(({ isCacheable }) => !isCacheable)).toBe(true);
});

test('[C1] says unlimited stock as -1', async () => {
  const { saleId } = await newSale({ totalStock: -1 });
  expect(await stateOf(saleId)).toMatchObject({ status: 'live', stock: { total: -1, available: -1 } });
});

test('[C1] is paused, resumed and ended as the merchant says', async () => {
  const { saleId } = await newSale();
  const merchant = await demoMerchant();
  await merchant.post(`/api/admin/sales/${saleId}/pause`);
  await expectState(saleId, { status: 'paused', gate: null });
  await merchant.post(`/api/admin/sales/${saleId}/resume`);
  await expectState(saleId, { status: 'live' });
  await merchant.post(`/api/admin/sales/${saleId}/close`);
  await expectState(saleId, { status: 'ended', gate: null });
});

test('[C1] knows nothing of drafts and of sales that do not exist', async () => {
  const { saleId } = await newDraft();
  for (const id of [saleId, ...NOBODYS_IDS]) {
    expectProblem(await anybody.get(`/api/sales/${id}/state`), 404, 'SALE_NOT_FOUND');
  }
});
