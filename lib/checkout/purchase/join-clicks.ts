import 'server-only';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import type { Asked } from './decider';

// The web process holds this module twice (fast path and Next's bundle).
const holder = globalThis as typeof globalThis & { seckillPurchases?: Map<string, Promise<PurchaseResult>> };

/**
 * Impatient clicks with one token that meet in this process are decided once: the first is answered what was decided, the
 * others get that answer again.
 */
export async function joinClicks(
  { saleId, userId, jti, quantity, gate }: Asked,
  decide: () => Promise<PurchaseResult>,
): Promise<PurchaseResult> {
  holder.seckillPurchases ??= new Map();
  const underWay = holder.seckillPurchases;
  const key = [saleId, userId, jti, quantity, gate].join(' ');
  const first = underWay.get(key);
  if (first) {
    const result = await first;
    if (result.status !== 'accepted') return result;
    return { status: 'replayed', orderNo: result.orderNo, quantity };
  }
  const deciding = decide().finally(() => underWay.delete(key));
  underWay.set(key, deciding);
  return deciding;
}
