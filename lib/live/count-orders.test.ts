import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { countOrders } from './count-orders';

// By a clock that stands still: on a busy machine a count takes as long as a minute's wait.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Asks, and lets the time pass that a count takes. */
async function told<T>(asked: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(40);
  return asked;
}

const paid = (count: number) => [{ status: 'paid', endReason: null, count }];

it('[J5] the orders of a small sale are counted at each question', async () => {
  let now = 1;
  const ask = () =>
    countOrders('sale_small', async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return paid(now);
    });
  expect(await told(ask())).toEqual(paid(1));
  now = 2;
  expect(await told(ask())).toEqual(paid(2));
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
  expect(await told(ask())).toEqual(paid(100_001));
  for (let n = 0; n < 5; n += 1) await ask();
  expect(counted).toBe(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(await ask()).toEqual(paid(100_001));
  expect(await ask()).toEqual(paid(100_001));
  expect(counted).toBe(2);
  end();
  await vi.advanceTimersByTimeAsync(1);
  expect(await ask()).toEqual(paid(100_002));
});
