import 'server-only';
import { isReplayDue, replayAccepted } from '@/lib/loading/replay-accepted';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import type { Decider } from './decider';
import { renewEpoch } from './renew-epoch';

/** Decides with the script in Redis, which counts, decides, deducts and writes the order message in one step. */
export const decideByScript: Decider = {
  looksInMemory: 'at_once',
  joinsClicks: false,
  isRemembered: true,
  fillsOutbox: () => true,
  issueOrderNo,
  decide: (asking) =>
    // Purchases that got a 202 before Redis lost them go first.
    isReplayDue(asking.saleId, asking.epoch)
      ? replayAccepted(asking.saleId, asking.epoch).then(() => purchaseStock(asking))
      : purchaseStock(asking),
  heal: renewEpoch,
};
