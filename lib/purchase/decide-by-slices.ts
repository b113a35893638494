import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { healStock } from '@/lib/loading/heal-stock';
import { isReplayDue, replayAccepted } from '@/lib/loading/replay-accepted';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { bringUnits } from '@/lib/slice/bring-units';
import { stockOfBuyer } from '@/lib/slice/loadings';
import { sliceNumberOf } from '@/lib/slice/numbers/stock-ids';
import { type PurchaseResult, purchaseStock } from '@/lib/stock/purchase-stock';
import { limitMs } from '@/lib/time-limits';
import type { Asking, Decider } from './decider';

/** How often a purchase asks its slice again after units were moved there, and what it waits for others who move some. */
const TRIES = 6;
const PAUSE_MS = 15;

/**
 * Decides a purchase of a split sale with the script, in the slice to which the buyer belongs. If that slice has too few
 * units left, takes some from the others first: "sold out" is said only when none has any. Answers `busy` if that can't
 * be said in time.
 */
export const decideBySlices: Decider = {
  looksInMemory: 'at_once',
  joinsClicks: false,
  isRemembered: true,
  fillsOutbox: () => true,
  issueOrderNo,
  async decide(asking) {
    const { saleId, userId, info, quantity } = asking;
    Object.assign(asking, stockOfBuyer(info, userId));
    const { stockId = saleId, epoch } = asking;
    if (isReplayDue(stockId, epoch)) await replayAccepted(stockId, epoch);
    return askSlice(asking, { saleId, stockId, slices: info.slices, wanted: quantity });
  },
  async heal(asking) {
    const { saleId, stockId = saleId, userId } = asking;
    await forgetSaleInfo(saleId);
    if (!(await healStock(saleId, sliceNumberOf(stockId)))) return false;
    const info = await findSaleInfo(saleId);
    if (!info) return false;
    asking.info = info;
    Object.assign(asking, stockOfBuyer(info, userId));
    return true;
  },
};

async function askSlice(asking: Asking, need: Parameters<typeof bringUnits>[0]): Promise<PurchaseResult> {
  for (let tried = 1; ; tried += 1) {
    const result = await purchaseStock(asking);
    if (result.status !== 'sold_out') return result;
    const found = await bringUnits(need);
    if (found.status === 'none') return { status: 'sold_out', available: found.available };
    if (tried === TRIES) return { status: 'busy' };
    if (found.status === 'moved') continue;
    if (performance.now() - asking.askedAt > limitMs('slicePurchase')) return { status: 'busy' };
    await delay(PAUSE_MS);
  }
}
