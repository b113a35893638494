import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { lostOf } from '../support/lost';
import { expectProblem } from '../support/problem';
import { newSale, type SaleOptions, stateOf } from '../support/sales';

const HOUR_MS = 3_600_000;

/** Makes a sale that starts in an hour; shoppers can reserve, and enter, now. */
function reservable(options: SaleOptions = {}) {
  const now = Date.now();
  return newSale({
    startsAt: now + HOUR_MS,
    endsAt: now + 2 * HOUR_MS,
    entryOpensAt: now - 60_000,
    reservation: { opensAt: now - 60_000, closesAt: now + HOUR_MS / 2 },
    ...options,
  });
}

const pathOf = ({ saleId }: { saleId: string }) => `/api/sales/${saleId}/reservation`;

test('[H1 H2] a shopper reserves once, may let go of it, and enters only while it stands', async () => {
  const [{ client }, sale] = await Promise.all([newShopper(), reservable()]);
  const path = pathOf(sale);
  const enter = () => client.post(`/api/sales/${sale.saleId}/entry`);
  expectProblem(await client.get(path), 404, 'RESERVATION_NOT_FOUND');
  expectProblem(await client.request('DELETE', path), 404, 'RESERVATION_NOT_FOUND');
  expectProblem(await enter(), 403, 'NOT_RESERVED');

  const first = await client.post(path);
  expect({ status: first.status, body: first.body }).toEqual({
    status: 201,
    body: { reservedAt: expect.any(Number) },
  });
  for (const again of [await client.post(path), await client.get(path)]) {
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
  }
  expect((await enter()).status).toBe(200);

  const cancelled = await client.request('DELETE', path);
  expect(cancelled.status, cancelled.text).toBe(200);
  expect((await client.request('DELETE', path)).body).toEqual(cancelled.body);
  expectProblem(await client.get(path), 404, 'RESERVATION_NOT_FOUND');
  expectProblem(await enter(), 403, 'NOT_RESERVED');
  expect((await client.post(path)).status).toBe(201);
});

test('[H1] refuses whoever is not signed in, comes from elsewhere, too early or too late, or reserves nothing', async () => {
  const now = Date.now();
  const [{ client }, open, early, late, plain] = await Promise.all([
    newShopper(),
    reservable(),
    reservable({ reservation: { opensAt: now + HOUR_MS / 4, closesAt: now + HOUR_MS / 2 } }),
    reservable({ reservation: { opensAt: now - 2000, closesAt: now - 1000 } }),
    newSale(),
  ]);
  expectProblem(await new Client().post(pathOf(open)), 401, 'UNAUTHENTICATED');
  expectProblem(await new Client().get(pathOf(open)), 401, 'UNAUTHENTICATED');
  expectProblem(await client.post(pathOf(open), undefined, { isSameOrigin: false }), 403, 'CSRF');
  for (const sale of [early, late, plain]) {
    expectProblem(await client.post(pathOf(sale)), 409, 'RESERVATION_CLOSED');
    expectProblem(await client.get(pathOf(sale)), 404, 'RESERVATION_NOT_FOUND');
  }
  expectProblem(await client.post('/api/sales/nope/reservation'), 404, 'SALE_NOT_FOUND');
  expectProblem(await client.request('PUT', pathOf(open)), 405, 'METHOD_NOT_ALLOWED');
});

test('[H1 H3] many requests at once of ten shoppers are ten reservations, which shoppers and merchant see', async () => {
  const [sale, ...shoppers] = await Promise.all([
    reservable({ totalStock: 3 }),
    ...Array.from({ length: 10 }, newShopper),
  ]);
  const asked = shoppers.flatMap((shopper) => Array<typeof shopper>(12).fill(shopper));
  const answers = await Promise.all(asked.map(({ client }) => client.post(pathOf(sale))));
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect(count(201) + count(200)).toBe(120);
  // A busy machine may send no answer. The next try then finds the reservation of the first.
  expect(count(201)).toBeLessThanOrEqual(10);
  expect(count(201) + lostOf(answers)).toBeGreaterThanOrEqual(10);
  for (const [at, { body }] of answers.entries()) expect(body).toEqual(answers[at - (at % 12)]?.body);

  await expect.poll(async () => (await stateOf(sale.saleId)).reservation).toMatchObject({ reserved: 10 });
  const merchant = await demoMerchant();
  const live = async () => (await merchant.get(`/api/admin/sales/${sale.saleId}/live`)).body.reservations;
  await expect.poll(live).toEqual({ reserved: 10, written: 10 });
});
