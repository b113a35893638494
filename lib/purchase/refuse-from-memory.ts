import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { limitFromMemory, type Requester } from '@/lib/limit/limit-request';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { isSurelySoldOut } from '@/lib/stock/sold-out-flag';
import type { PurchaseQuestion } from './decider';

export const NONE_LEFT: PurchaseResult = { status: 'sold_out', available: 0 };

/**
 * Refuses from this process's memory, without asking any store, once it knows that nothing is left: as sold out, or as
 * rate-limited if the shopper asks too often.
 * @returns null if a store has to be asked
 */
export function refuseFromMemory(
  info: SaleInfo,
  asked: PurchaseQuestion,
  requester: Requester,
): PurchaseResult | null {
  if (!isSurelySoldOut(asked)) return null;
  const limited = limitFromMemory(info, 'purchase', requester);
  return limited ? { status: 'rate_limited', ...limited } : NONE_LEFT;
}
