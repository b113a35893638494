import { expect, test } from '@playwright/test';
import { demoMerchant, newShopper } from '../support/accounts';
import { expectBalanced } from '../support/commands';
import { expectProblem } from '../support/problem';
import {
  availableOf,
  buy,
  enter,
  expectOrder,
  gateOf,
  newProduct,
  newSale,
  pay,
  purchase,
  saleInput,
  stateOf,
} from '../support/sales';

test.describe.configure({ mode: 'parallel' });

test('[C2 C3] a sale is created with a strategy that exists, the script unless told otherwise', async () => {
  const [merchant, productId] = [await demoMerchant(), await newProduct()];
  const create = (strategy?: unknown) =>
    merchant.post('/api/admin/sales', { ...saleInput({ productId }), ...(strategy ? { strategy } : {}) });
  expect((await create()).body).toMatchObject({ strategy: 'script' });
  expect((await create('lock')).body).toMatchObject({ strategy: 'lock' });
  expectProblem(await create('hope'), 422, 'VALIDATION');
});

test('[J4] a sale may go over to the database while Redis is away, where the script decides', async () => {
  const [merchant, productId] = [await demoMerchant(), await newProduct()];
  const create = (more: object) =>
    merchant.post('/api/admin/sales', { ...saleInput({ productId }), ...more });
  expect((await create({})).body).toMatchObject({ onStockOutage: 'closed' });
  for (const strategy of ['database', 'lock', 'queue']) {
    expectProblem(await create({ strategy, onStockOutage: 'database' }), 422, 'VALIDATION');
  }
  const { saleId } = await newSale({ onStockOutage: 'database', totalStock: 1 });
  const ada = await newShopper();
  const orderNo = await buy(ada, saleId);
  await expectOrder(ada, orderNo, 'pending_payment');
  expectProblem(
    await purchase(saleId, await gateOf(saleId), await enter(await newShopper(), saleId)),
    409,
    'SOLD_OUT',
  );
  // A machine that stands still may have made the shop believe for a moment that Redis was away.
  await expect
    .poll(async () => (await merchant.get(`/api/admin/sales/${saleId}/live`)).body)
    .toMatchObject({ sale: { onStockOutage: 'database' }, stockMode: 'redis' });
  await expectBalanced(saleId);
});

test('[C10 C1 F2 I1] strategy queue: undecided, then in or out at the order, and the books balance @long', async () => {
  const { saleId } = await newSale({ strategy: 'queue', totalStock: 1, limitPerUser: 1 });
  const [ada, ben] = await Promise.all([newShopper(), newShopper()]);
  const [gate, entry] = [await gateOf(saleId), await enter(ada, saleId)];
  const first = await purchase(saleId, gate, entry);
  expect(first.status, first.text).toBe(202);
  const { orderNo } = first.body;
  expect(first.body).toEqual({ orderNo: expect.stringMatching(/^\d+$/), status: 'undecided', replay: false });
  const statusOf = async () => (await ada.client.get(`/api/orders/${orderNo}`)).body.status;
  await expect.poll(statusOf, { intervals: [20] }).not.toBe('undecided');
  await expectOrder(ada, String(orderNo), 'pending_payment');
  expect((await purchase(saleId, gate, entry)).body).toEqual({ orderNo, status: 'queued', replay: true });
  expectProblem(await purchase(saleId, gate, await enter(ben, saleId)), 409, 'SOLD_OUT');
  await pay(ada, String(orderNo));
  const live = await (await demoMerchant()).get(`/api/admin/sales/${saleId}/live`);
  expect(live.body).toMatchObject({ sale: { strategy: 'queue' }, queue: { undecided: 0 } });
  await expectBalanced(saleId);
});

for (const strategy of ['database', 'lock'] as const) {
  const id = strategy === 'database' ? 'C2' : 'C3';

  test(`[${id} C1 F2 I1] strategy ${strategy}: buy, order, pay, and the books balance @long`, async () => {
    const { saleId } = await newSale({ strategy, totalStock: 2, limitPerUser: 1 });
    const [ada, ben, cyd] = await Promise.all([newShopper(), newShopper(), newShopper()]);
    const [gate, entry] = [await gateOf(saleId), await enter(ada, saleId)];
    const first = await purchase(saleId, gate, entry);
    expect(first.status, first.text).toBe(202);
    const { orderNo } = first.body;
    expect(first.body).toEqual({ orderNo: expect.stringMatching(/^\d+$/), status: 'queued', replay: false });
    expect((await purchase(saleId, gate, entry)).body).toEqual({ orderNo, status: 'queued', replay: true });
    await expectOrder(ada, String(orderNo), 'pending_payment');
    await expect.poll(() => availableOf(saleId)).toBe(1);

    await buy(ben, saleId);
    expectProblem(await purchase(saleId, gate, await enter(cyd, saleId)), 409, 'SOLD_OUT');
    await expect.poll(async () => (await stateOf(saleId)).status).toBe('sold_out');

    await pay(ada, String(orderNo));

    const live = async () => (await (await demoMerchant()).get(`/api/admin/sales/${saleId}/live`)).body;
    await expect.poll(async () => (await live()).stock).toEqual({ total: 2, available: 0, held: 1, sold: 1 });
    expect((await live()).sale).toMatchObject({ strategy });
    await expectBalanced(saleId);
  });
}
