import { expect, test } from '@playwright/test';
import { bestOf } from '../../test/support/best-of';
import { newShopper } from '../support/accounts';
import { enter, gateOf, newSale, purchase } from '../support/sales';

test('[C10] strategy queue: a purchase is decided within a second', async () => {
  const { client } = await newShopper();
  const decide = async () => {
    const { saleId } = await newSale({ strategy: 'queue', totalStock: 1 });
    const { body } = await purchase(saleId, await gateOf(saleId), await enter({ client }, saleId));
    expect(body).toMatchObject({ status: 'undecided' });
    const from = performance.now();
    const statusOf = async () => (await client.get(`/api/orders/${body.orderNo}`)).body.status;
    await expect.poll(statusOf, { intervals: [20] }).not.toBe('undecided');
    return performance.now() - from;
  };
  expect(await bestOf(1_000, decide)).toBeLessThan(1_000);
});
