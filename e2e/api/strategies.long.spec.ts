import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { availableOf, buy, newSale } from '../support/sales';

// They wait for most of a minute.
test.describe.configure({ mode: 'parallel' });

for (const strategy of ['database', 'lock'] as const) {
  const id = strategy === 'database' ? 'C2' : 'C3';

  test(`[${id} C7 E7] strategy ${strategy}: an unpaid unit returns by itself and is sold again`, async () => {
    // Long enough that a busy machine shows the order, and the unit gone, before the time to pay is over.
    const { saleId } = await newSale({ strategy, totalStock: 1, paymentWindowSec: 45 });
    const [ada, ben] = await Promise.all([newShopper(), newShopper()]);
    const orderNo = await buy(ada, saleId);
    await expect
      .poll(async () => (await ada.client.get(`/api/orders/${orderNo}`)).body.status, { timeout: 240_000 })
      .toBe('cancelled');
    await expect.poll(() => availableOf(saleId)).toBe(1);
    await buy(ben, saleId);
    await expect.poll(() => availableOf(saleId)).toBe(0);
  });
}
