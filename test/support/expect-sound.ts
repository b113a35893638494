import { expect } from 'vitest';
import { verifySale } from '@/lib/admin/verify/verify-sale';
import { drainOutbox } from '@/lib/checkout/testing/drain-outbox';

/** Writes the orders that are on their way, recomputes the invariants of a sale and expects that all hold. */
export async function expectSound({ saleId }: { saleId: string }): Promise<void> {
  await drainOutbox(saleId);
  const verification = await verifySale(saleId, { settleMs: 0 });
  expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
}
