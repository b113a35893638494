import { expect, test } from '@playwright/test';
import { bestOf } from '../../test/support/best-of';
import { newShopper } from '../support/accounts';
import { endBoth } from '../support/ended-sessions';
import { newSale } from '../support/sales';

test('[G9 N3] a session that ended more than a second ago lets nobody in', async () => {
  const { saleId } = await newSale();
  const measure = async () => {
    const [leaving, banned] = await Promise.all([newShopper(), newShopper()]);
    const { statuses } = await endBoth(saleId, leaving, banned);
    const endedAt = performance.now();
    let lastInAt = endedAt;
    const ask = async () => {
      const askedAt = performance.now();
      const answers = await statuses();
      if (answers.includes(200)) lastInAt = askedAt;
      return answers;
    };
    await expect.poll(ask, { intervals: [50] }).toEqual([401, 401]);
    return lastInAt - endedAt;
  };
  expect(await bestOf(1_000, measure)).toBeLessThan(1_000);
});
