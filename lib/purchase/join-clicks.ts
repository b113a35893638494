import 'server-only';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import type { PurchaseQuestion } from './decider';

/** The purchases that this process is deciding now. */
const underWay = new Map<string, Promise<PurchaseResult>>();

/**
 * Decides only once when impatient clicks with one token meet in this process. The first click gets the decision, the
 * others get the same answer as a replay.
 */
export async function joinClicks(
  { saleId, userId, jti, quantity, variant = 0, gate }: PurchaseQuestion,
  decide: () => Promise<PurchaseResult>,
): Promise<PurchaseResult> {
  const key = [saleId, userId, jti, quantity, variant, gate].join(' ');
  const first = underWay.get(key);
  if (first) {
    const result = await first;
    if (result.status !== 'accepted') return result;
    return { status: 'replayed', orderNo: result.orderNo, quantity, variant };
  }
  const deciding = decide().finally(() => underWay.delete(key));
  underWay.set(key, deciding);
  return deciding;
}
