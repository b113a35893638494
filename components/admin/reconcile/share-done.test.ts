import { expect, test } from 'vitest';
import { RECONCILE_STAGES } from '@/lib/contract/words/reconcile';
import { shareDone } from './share-done';

test('[C8] a reconciliation only goes on, from nothing to all', () => {
  const shares = RECONCILE_STAGES.flatMap((stage) =>
    [0, 1, 5, 10].map((done) => shareDone({ stage, done, total: 10 })),
  );
  expect(shares[0]).toBe(0);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shareDone({ stage: 'orders', done: 0, total: 0 })).toBe(
    shareDone({ stage: 'purchases', done: 9, total: 9 }),
  );
  expect(shareDone({ stage: 'purchases', done: 20, total: 10 })).toBeLessThan(0.5);
});
