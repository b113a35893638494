import { lookAgain } from '@/lib/checkout/purchase/stock-route';
import { findState } from '@/lib/checkout/sales/read-state';
import { readStock } from '@/lib/stock/read-stock';
import { announceChange } from '@/lib/stock/stock-changes';
import { listedNow } from './listed-now';

/** For tests: everything a shopper or a merchant may read off a sale and put on a screenshot, all but the clock. */
export async function publicView(saleId: string) {
  // What a process keeps for a moment counts for nothing here: tests act past it.
  await Promise.all([lookAgain(saleId), announceChange(saleId)]);
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
