import 'server-only';
import type { BuyerRecord } from '@/lib/stock/types';
import type { Findings } from './findings';
import { findUnwritten } from './read-orders';
import { scanStock } from './read-purchases';
import type { Scope, Suspect, SuspectList } from './suspect-list';

/** The counts from a scan of the buyer records; units by the state of their hold when the scan reached them. */
export type PurchaseCount = {
  purchases: number;
  heldUnits: number;
  soldUnits: number;
  /** The same units by variant, in order. */
  byVariant: number[];
};

export const newCount = (): PurchaseCount => ({ purchases: 0, heldUnits: 0, soldUnits: 0, byVariant: [] });

/** Counts a purchase in. */
export function countIn(count: PurchaseCount, { quantity, variant, state }: BuyerRecord): void {
  count.purchases += 1;
  if (state === 'held') count.heldUnits += quantity;
  if (state === 'sold') count.soldUnits += quantity;
  if (variant && state !== 'released')
    count.byVariant[variant - 1] = (count.byVariant[variant - 1] ?? 0) + quantity;
}

/**
 * Goes through every buyer record of a stock: of the sale, or of one of its slices. Checks limits and repetitions at once;
 * purchases without an order become suspects.
 */
export async function scanPurchases(
  scope: Scope,
  stockId: string,
  suspects: SuspectList,
  findings: Findings,
): Promise<PurchaseCount> {
  const count = newCount();
  for await (const buyers of scanStock(stockId)) {
    const met: Suspect[] = [];
    for (const { userId, purchases } of buyers) {
      if (!purchases) {
        findings.add(5, 'record_unreadable', { userId });
        continue;
      }
      checkBuyer(userId, purchases, scope.limitPerUser, findings);
      for (const purchase of purchases) {
        countIn(count, purchase);
        met.push({ orderNo: purchase.orderNo, userId, units: purchase.quantity });
      }
    }
    await suspects.add(await findUnwritten(scope.saleId, met));
  }
  return count;
}

function checkBuyer(
  userId: string,
  purchases: readonly BuyerRecord[],
  limit: number,
  findings: Findings,
): void {
  const live = purchases.reduce(
    (sum, { quantity, state }) => (state === 'released' ? sum : sum + quantity),
    0,
  );
  if (live > limit) findings.add(4, 'over_limit_in_redis', { userId, units: live, limit });
  const isRepeated = (field: 'jti' | 'orderNo') =>
    new Set(purchases.map((purchase) => purchase[field])).size < purchases.length;
  if (isRepeated('orderNo') || isRepeated('jti')) {
    findings.add(5, 'purchase_twice', { userId });
  }
}
