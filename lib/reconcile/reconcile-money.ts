import 'server-only';
import { setTimeout } from 'node:timers/promises';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import { addMisbooked } from '@/lib/verify/check-provider-books';
import { compareSaleBooks } from '@/lib/verify/compare-sale-books';
import { Findings } from '@/lib/verify/findings';
import type { SaleAccount } from '@/lib/verify/types';
import { repairDifference } from './repair-difference';

/** The difference between our books and the providers', if there is one, and whether it has gone. */
type ReconciledMoney = { found: Difference[]; repaired: Difference[] };

/**
 * Compares a sale's payments with their providers' books and has those asked about that differ for `graceMs`. A provider
 * that does not answer twice is a difference.
 * @throws connection errors; AbortError when `signal` fires before it begins, or while it waits.
 */
export async function reconcileMoney(
  sale: SaleAccount,
  { graceMs, isRepairing, signal }: { graceMs: number; isRepairing: boolean; signal?: AbortSignal },
): Promise<ReconciledMoney> {
  const { saleId } = sale;
  signal?.throwIfAborted();
  let compared = await compareSaleBooks(saleId, graceMs);
  if (compared.silent.size > 0) {
    await setTimeout(graceMs, undefined, { signal });
    compared = await compareSaleBooks(saleId, 0);
  }
  const findings = new Findings();
  addMisbooked(compared, findings);
  const detail = findings.describe(8);
  if (detail === null) return { found: [], repaired: [] };
  const found: Difference = { kind: 'provider_books', orderNo: null, userId: null, detail, repair: 'ask' };
  if (!isRepairing || compared.misbooked.length === 0) return { found: [found], repaired: [] };
  await repairDifference(sale, found);
  const { misbooked, silent } = await compareSaleBooks(saleId, 0);
  const hasGone = misbooked.length === 0 && silent.size === 0;
  return { found: [found], repaired: hasGone ? [found] : [] };
}
