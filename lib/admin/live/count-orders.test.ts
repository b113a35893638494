import { expect, it } from 'vitest';
import { countOrders } from './count-orders';

const paid = (count: number) => [{ status: 'paid', endReason: null, count }];

it('[J5] the orders of a small sale are counted at each question', async () => {
  let now = 1;
  const ask = () =>
    countOrders('sale_small', async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return paid(now);
    });
  expect(await ask()).toEqual(paid(1));
  now = 2;
  expect(await ask()).toEqual(paid(2));
});

it('[J5] those of a large sale are counted meanwhile, and at most a fifth of the time', async () => {
  let counted = 0;
  let end = () => {};
  const ask = () =>
    countOrders('sale_large', async () => {
      counted += 1;
      if (counted > 1)
        await new Promise<void>((resolve) => {
          end = resolve;
        });
      else await new Promise((resolve) => setTimeout(resolve, 40));
      return paid(100_000 + counted);
    });
  expect(await ask()).toEqual(paid(100_001));
  for (let n = 0; n < 5; n += 1) await ask();
  expect(counted).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await ask()).toEqual(paid(100_001));
  expect(await ask()).toEqual(paid(100_001));
  expect(counted).toBe(2);
  end();
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await ask()).toEqual(paid(100_002));
});
