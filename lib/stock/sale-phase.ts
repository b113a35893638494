import type { SalePhase } from '@/lib/contract/words/sale';
import { type Stock, UNLIMITED } from './types';

/**
 * Tells what phase a sale is in right now. Decides in the purchase script's order (end, start, pause, then stock), so
 * a page never shows "live" where a purchase would be refused.
 */
export function salePhase(
  stock: Pick<Stock, 'serverTime' | 'startsAt' | 'endsAt' | 'paused' | 'closed' | 'total' | 'available'>,
): SalePhase {
  if (stock.closed || stock.serverTime >= stock.endsAt) return 'ended';
  if (stock.serverTime < stock.startsAt) return 'scheduled';
  if (stock.paused) return 'paused';
  if (stock.total !== UNLIMITED && stock.available <= 0) return 'sold_out';
  return 'live';
}
