import { expect, test } from '@playwright/test';
import { bestOf } from '../../test/support/best-of';
import { newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { enter, gateOf, newSale, purchase } from '../support/sales';

const ROUNDS = 15;
/** How often the rounds are run at most: in some a busy machine may stand still. */
const TIMES = 5;
/**
 * The goal is 300 ms on an idle machine. The bound only tells an immediate reaction from one at the next poll:
 * machines that run tests are never idle.
 */
const BOUND_MS = 2000;

test('[E1 E9] an order is in Postgres a moment after its 202', async () => {
  const [shopper, { saleId }] = await Promise.all([
    newShopper(),
    newSale({ totalStock: ROUNDS * TIMES, limitPerUser: ROUNDS * TIMES }),
  ]);
  const gate = await gateOf(saleId);
  const reader = new Client();
  const measure = async () => {
    const delays: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await enter(shopper, saleId);
      const { body } = await purchase(saleId, gate, token);
      const acceptedAt = performance.now();
      const status = async () =>
        (await reader.get(`/api/orders/${body.orderNo}`, { headers: { 'x-entry-token': token } })).body
          .status;
      await expect.poll(status, { intervals: [5] }).toBe('pending_payment');
      delays.push(performance.now() - acceptedAt);
    }
    const median = delays.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.POSITIVE_INFINITY;
    console.log(
      `      median ${median.toFixed(0)} ms from 202 to the order, worst ${delays.at(-1)?.toFixed(0)} ms`,
    );
    return median;
  };
  expect(await bestOf(BOUND_MS, measure, TIMES)).toBeLessThan(BOUND_MS);
});
