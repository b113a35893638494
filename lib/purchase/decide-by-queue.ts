import 'server-only';
import { isReplayDue, replayAccepted } from '@/lib/loading/replay-accepted';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { subjectsOf } from '@/lib/risk/risk-of';
import { enqueuePurchase } from '@/lib/stock/enqueue-purchase';
import type { Decider } from './decider';
import { renewEpoch } from './renew-epoch';

/**
 * Puts purchases into the sale's queue. A worker decides them in its order (`lib/queue-strategy`); until then they are
 * `undecided`, which promises nothing. What is sure to be refused is refused at once.
 */
export const decideByQueue: Decider = {
  looksInMemory: 'at_once',
  joinsClicks: false,
  isRemembered: true,
  fillsOutbox: () => true,
  issueOrderNo,
  async decide(asking) {
    const { saleId, epoch } = asking;
    if (isReplayDue(saleId, epoch)) await replayAccepted(saleId, epoch);
    return enqueuePurchase(asking, subjectsOf(asking.requester));
  },
  heal: renewEpoch,
};
