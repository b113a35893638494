import { expect } from 'vitest';
import { verifySale } from '@/lib/verify/verify-sale';

/** For tests: expects every promise of the sale to be kept, once its orders are written. */
export async function expectKept(saleId = ''): Promise<void> {
  const verified = await verifySale(saleId, { settleMs: 1_000 });
  expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
}
