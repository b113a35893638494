import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { isSurelySoldOut } from '@/lib/stock/sold-out-flag';
import { limitFromMemory, type Requester } from '../risk/limit-request';
import type { Asked } from './decider';

export const NONE_LEFT: PurchaseResult = { status: 'sold_out', available: 0 };

/**
 * What this process may answer without asking anybody: nothing is left, or whoever asks does so too often.
 * @returns null if it has to ask.
 */
export function refuseFromMemory(info: SaleInfo, asked: Asked, requester: Requester): PurchaseResult | null {
  if (!isSurelySoldOut(asked)) return null;
  const limited = limitFromMemory(info, 'purchase', requester);
  return limited ? { status: 'rate_limited', ...limited } : NONE_LEFT;
}
