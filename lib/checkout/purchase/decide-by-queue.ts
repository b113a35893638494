import 'server-only';
import { issueOrderNo } from '@/lib/order/issue-order-no';
import { enqueuePurchase } from '@/lib/stock/enqueue-purchase';
import { isReplayDue, replayAccepted } from '../recovery/replay-accepted';
import { subjectsOf } from '../risk/risk-of';
import type { Decider } from './decider';
import { renewEpoch } from './renew-epoch';

/**
 * Puts purchases into the sale's queue. A worker decides them in its order (`lib/checkout/queue`); until then they are
 * `undecided`, which promises nothing. What is sure to be refused is refused at once.
 */
export const decideByQueue: Decider = {
  looksInMemory: 'at_once',
  joinsClicks: false,
  keeps: true,
  fillsOutbox: () => true,
  issueOrderNo,
  async decide(asking) {
    const { saleId, epoch } = asking;
    if (isReplayDue(saleId, epoch)) await replayAccepted(saleId, epoch);
    return enqueuePurchase(asking, subjectsOf(asking.requester));
  },
  heal: renewEpoch,
};
