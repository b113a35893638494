import { rereadAndSettle } from '@/lib/fallback/stock-place';
import { findState } from '@/lib/sale/read-state';
import { readStock } from '@/lib/stock/read-stock';
import { announceChange } from '@/lib/stock/stock-changes';
import { listedNow } from './listed-now';

/**
 * For tests: returns everything a shopper or a merchant may read about a sale and put on a screenshot, except the
 * clock.
 */
export async function publicView(saleId: string) {
  // Clear what the process keeps for a moment: tests change data without telling it.
  await Promise.all([rereadAndSettle(saleId), announceChange(saleId)]);
  const result = await findState(saleId);
  if (result.status === 'refused') throw new Error(result.code);
  const { serverTime: _, ...state } = result.state;
  const { sales } = await listedNow();
  const { total, available, held, sold } = (await readStock(saleId)) ?? {};
  return {
    state,
    listed: sales.find((sale) => sale.saleId === saleId),
    tiers: { total, available, held, sold },
  };
}
