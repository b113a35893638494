import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectProblem } from '../support/problem';
import {
  editSale,
  enter,
  expectState,
  listedSaleOf,
  newSale,
  purchase,
  type SaleOptions,
  startSoon,
  stateOf,
} from '../support/sales';

const HOUR_MS = 3_600_000;

/** Makes a sale that starts in an hour and can be entered now. */
const newComing = (options: SaleOptions = {}) => {
  const startsAt = Date.now() + HOUR_MS;
  return newSale({ startsAt, endsAt: startsAt + HOUR_MS, entryOpensAt: startsAt - 2 * HOUR_MS, ...options });
};

test('[L3 F2] a token that was given before the move buys at the new start, with no other', async () => {
  const [sale, shopper] = await Promise.all([newComing(), newShopper()]);
  const { saleId } = sale;
  const token = await enter(shopper, saleId);
  const startsAt = await startSoon(saleId);
  await expectState(saleId, { status: 'live', startsAt });
  const { gate } = await stateOf(saleId);
  expect((await purchase(saleId, String(gate), token)).status).toBe(202);
});

for (const admission of ['waiting_room', 'draw'] as const)
  test(`[M1 M4] ${admission}: who joined keeps the place when the start moves, later and earlier`, async () => {
    const options = admission === 'draw' ? { admission, waitlist: true } : { admission };
    const [sale, first, second] = await Promise.all([newComing(options), newShopper(), newShopper()]);
    const { saleId } = sale;
    const line = `/api/sales/${saleId}/line`;
    const joined = await first.client.post(line);
    expect(joined.status, joined.text).toBe(201);
    const later = Date.now() + 3 * HOUR_MS;
    expect((await editSale(saleId, { startsAt: later, endsAt: later + HOUR_MS })).status).toBe(200);
    expect((await first.client.get(line)).body).toMatchObject({ number: 0, place: null });
    await expect.poll(async () => (await second.client.post(line)).status).toBe(201);

    await startSoon(saleId);
    // Both are in the same shuffle.
    await expect
      .poll(async () => (await stateOf(saleId)).line, { timeout: 150_000 })
      .toMatchObject({ joined: 2, early: 2 });
    const places = [first, second].map(async ({ client }) => (await client.get(line)).body.place);
    expect((await Promise.all(places)).sort()).toEqual([0, 1]);
    const refused = await editSale(saleId, { startsAt: Date.now() + HOUR_MS });
    expectProblem(refused, 409, 'SALE_FIELD_FIXED');
    expect(refused.body.detail).toContain('pause the sale, or end it and publish a new one instead');
  });

test('[L3] a start moves into the future, before the end, and by the current version only; the refusal names the field', async () => {
  const { saleId } = await newComing();
  const { startsAt, endsAt } = (await stateOf(saleId)) as { startsAt: number; endsAt: number };
  const wrong = async (changes: object) => {
    const answer = await editSale(saleId, changes);
    expectProblem(answer, 422, 'VALIDATION');
    return (answer.body.fields as { path: string }[]).map(({ path }) => path);
  };
  expect(await wrong({ startsAt: Date.now() - 60_000 })).toEqual(['startsAt']);
  expect(await wrong({ startsAt: endsAt })).toEqual(['startsAt']);
  expect(await wrong({ endsAt: startsAt })).toEqual(['endsAt']);
  const merchant = await demoMerchant();
  const body = { startsAt: startsAt + 1, version: 1 };
  const stale = await merchant.request('PATCH', `/api/admin/sales/${saleId}`, { body });
  expectProblem(stale, 409, 'VERSION_CONFLICT');
  expect(stale.body.current).toMatchObject({ startsAt });
});

test('[A8] the list and the state say the same of a sale after each change', async () => {
  const sale = await newComing({ totalStock: 3 });
  const { saleId } = sale;
  const merchant = await demoMerchant();
  const act = async (verb: string, body?: object) => {
    const answer = await merchant.post(`/api/admin/sales/${saleId}/${verb}`, body);
    expect(answer.status, answer.text).toBe(200);
  };
  /** Waits until both say so: the state at once, the list within a second. */
  const agree = async (expected: Record<string, unknown>) => {
    await expectState(saleId, expected);
    await expect.poll(() => listedSaleOf(sale.title), { timeout: 150_000 }).toMatchObject(expected);
  };
  await agree({ status: 'scheduled', paused: false, stock: { total: 3, available: 3 } });
  await act('pause');
  await agree({ status: 'scheduled', paused: true });
  await act('resume');
  await agree({ status: 'scheduled', paused: false });
  const startsAt = await startSoon(saleId);
  await agree({ status: 'live', startsAt });
  await act('stock', { delta: -3, reason: 'broken' });
  await agree({ status: 'sold_out', stock: { total: 0, available: 0 } });
  await act('stock', { delta: 2, reason: 'found' });
  await agree({ status: 'live', stock: { total: 2, available: 2 } });
  await act('pause');
  await agree({ status: 'paused', paused: true });
  await act('resume');
  await agree({ status: 'live', paused: false });
  await act('close');
  await agree({ status: 'ended' });
});
