import 'server-only';
import { isReplayDue, replayAccepted } from '@/lib/loading/replay-accepted';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { purchaseUnderLock } from '@/lib/stock/purchase-under-lock';
import { countPurchaseOf } from './count-purchase-of';
import type { Decider } from './decider';
import { renewEpoch } from './renew-epoch';

/** Decides with plain commands under a fenced lock. Leaves the same data in Redis as the script. */
export const decideByLock: Decider = {
  looksInMemory: 'in_turn',
  joinsClicks: true,
  isRemembered: true,
  fillsOutbox: () => true,
  issueOrderNo,
  async decide(asking) {
    const { saleId, epoch } = asking;
    if (isReplayDue(saleId, epoch)) await replayAccepted(saleId, epoch);
    return purchaseUnderLock({ ...asking, limit: countPurchaseOf(asking) });
  },
  heal: renewEpoch,
};
