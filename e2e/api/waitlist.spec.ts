import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper, type Shopper } from '../support/accounts';
import { Client } from '../support/client';
import { expectMade } from '../support/lost';
import { expectProblem } from '../support/problem';
import { expectState, newSale, type SaleOptions, stateOf } from '../support/sales';

const withWaitlist = (options: SaleOptions = {}) => newSale({ totalStock: 1, waitlist: true, ...options });

async function tokenOf({ client }: Shopper, saleId: string): Promise<string> {
  const { status, body, text } = await client.post(`/api/sales/${saleId}/entry`);
  expect(status, text).toBe(200);
  return String(body.entryToken);
}

const join = (token: string, saleId: string) =>
  new Client().post(`/api/sales/${saleId}/waitlist`, undefined, { headers: { 'x-entry-token': token } });

async function press(token: string, saleId: string) {
  const { gate } = await stateOf(saleId);
  const headers = { 'x-entry-token': token };
  return new Client().post(`/api/sales/${saleId}/purchase/${gate}`, undefined, { headers });
}

test('[M2] a cancelled unit goes to the next in line, who was told; the others keep their places', async () => {
  const [sale, owner, first, second] = await Promise.all([
    withWaitlist(),
    newShopper(),
    newShopper(),
    newShopper(),
  ]);
  const { saleId } = sale;
  const path = `/api/sales/${saleId}/waitlist`;
  const [ownersToken, token, secondToken] = [
    await tokenOf(owner, saleId),
    await tokenOf(first, saleId),
    await tokenOf(second, saleId),
  ];
  expectProblem(await join(token, saleId), 409, 'UNITS_FOR_SALE');
  const bought = await press(ownersToken, saleId);
  expect(bought.status, bought.text).toBe(202);
  expectProblem(await join(ownersToken, saleId), 409, 'LIMIT_REACHED');

  expect((await first.client.get(path)).body).toMatchObject({ state: 'none', isOpen: true, waiting: 0 });
  const joined = await join(token, saleId);
  expectMade(joined);
  expect(joined.body).toMatchObject({ state: 'waiting', ahead: 0, waiting: 1, orderNo: null });
  expect((await join(token, saleId)).status).toBe(200);
  expect((await join(secondToken, saleId)).body).toMatchObject({ ahead: 1, waiting: 2 });

  await expect
    .poll(async () => (await owner.client.post(`/api/orders/${bought.body.orderNo}/cancel`)).status)
    .toBe(200);
  await expect
    .poll(async () => (await first.client.get(path)).body)
    .toMatchObject({
      state: 'given',
      ahead: null,
      orderNo: expect.stringMatching(/^\d+$/),
      askAgainMs: null,
    });
  const { orderNo } = (await first.client.get(path)).body;
  // The token that the place was taken with is the one of the purchase.
  const pressed = await press(token, saleId);
  expect({ status: pressed.status, body: pressed.body }).toEqual({
    status: 202,
    body: { orderNo, status: 'queued', replay: true },
  });
  await expect
    .poll(async () => (await first.client.get(`/api/orders/${orderNo}`)).body)
    .toMatchObject({ status: 'pending_payment', payBy: expect.any(Number) });
  await expect
    .poll(async () => (await first.client.get('/api/notifications')).body.notifications, { timeout: 150_000 })
    .toMatchObject([{ kind: 'waitlist_given', orderNo }]);

  expect((await second.client.get(path)).body).toMatchObject({ state: 'waiting', ahead: 0 });
  for (let times = 0; times < 2; times += 1) {
    const left = await second.client.request('DELETE', path);
    expect({ status: left.status, state: left.body.state }).toEqual({ status: 200, state: 'none' });
  }
});

test('[M2] a list that the merchant has closed takes nobody else, until it is opened again', async () => {
  const [{ saleId }, owner, first, second, merchant] = await Promise.all([
    withWaitlist(),
    newShopper(),
    newShopper(),
    newShopper(),
    demoMerchant(),
  ]);
  await press(await tokenOf(owner, saleId), saleId);
  const [token, secondToken] = [await tokenOf(first, saleId), await tokenOf(second, saleId)];
  expectMade(await join(token, saleId));
  const closed = await merchant.post(`/api/admin/sales/${saleId}/waitlist/close`);
  expect({ status: closed.status, body: closed.body }).toMatchObject({
    status: 200,
    body: { waitlistClosed: true },
  });
  expectProblem(await join(secondToken, saleId), 409, 'WAITLIST_CLOSED');
  expect((await join(token, saleId)).body).toMatchObject({ state: 'waiting', ahead: 0, isOpen: false });
  await expect
    .poll(async () => (await merchant.get(`/api/admin/sales/${saleId}/live`)).body.waitlist)
    .toMatchObject({ waiting: 1, joined: 1, given: 0, left: 0, passedOver: 0, isOpen: false });
  expect((await merchant.post(`/api/admin/sales/${saleId}/waitlist/open`)).status).toBe(200);
  expectMade(await join(secondToken, saleId));
  expectProblem(await first.client.post(`/api/admin/sales/${saleId}/waitlist/close`), 403, 'FORBIDDEN');
});

test('[M2] refuses strangers, foreign and made-up tokens, and sales without a list or without units gone', async () => {
  const [{ saleId }, plain, soon, shopper] = await Promise.all([
    withWaitlist(),
    newSale({ totalStock: 1 }),
    withWaitlist({
      startsAt: Date.now() + 600_000,
      endsAt: Date.now() + 1_200_000,
      entryOpensAt: Date.now() - 1000,
    }),
    newShopper(),
  ]);
  const merchant = await demoMerchant();
  const token = await tokenOf(shopper, saleId);
  expectProblem(await new Client().get(`/api/sales/${saleId}/waitlist`), 401, 'UNAUTHENTICATED');
  expectProblem(
    await new Client().request('DELETE', `/api/sales/${saleId}/waitlist`),
    401,
    'UNAUTHENTICATED',
  );
  expectProblem(
    await shopper.client.request('DELETE', `/api/sales/${saleId}/waitlist`, { isSameOrigin: false }),
    403,
    'CSRF',
  );
  for (const wrong of ['', 'x', `${token}x`, 'a'.repeat(5_000)])
    expectProblem(await join(wrong, saleId), 401, 'ENTRY_INVALID');
  expectProblem(await join(token, plain.saleId), 401, 'ENTRY_INVALID');
  expectProblem(await join(await tokenOf(shopper, plain.saleId), plain.saleId), 409, 'NO_WAITLIST');
  expectProblem(await join(await tokenOf(shopper, soon.saleId), soon.saleId), 409, 'NOT_STARTED');
  expectProblem(await join(token, 'sale_of_nobody'), 404, 'SALE_NOT_FOUND');
  expectProblem(await shopper.client.get('/api/sales/sale_of_nobody/waitlist'), 404, 'SALE_NOT_FOUND');
  expectProblem(await merchant.post(`/api/admin/sales/${plain.saleId}/waitlist/close`), 409, 'NO_WAITLIST');
  await merchant.post(`/api/admin/sales/${saleId}/close`);
  await expectState(saleId, { status: 'ended' });
  expectProblem(await join(token, saleId), 409, 'ENDED');
});
