import 'server-only';
import { issueUnleasedOrderNo } from '@/lib/order/records/issue-unleased-order-no';
import { countPurchaseOf } from './count-purchase-of';
import type { Decider } from './decider';
import { purchaseByDatabase } from './purchase-by-database';
import { readDatabaseBuyers } from './read-database-buyers';
import { renewEpoch } from './renew-epoch';

/** Decides in a transaction of Postgres, which writes the order too. Redis is not asked, and may be down. */
export const decideByDatabase: Decider = {
  looksInMemory: 'in_turn',
  joinsClicks: true,
  isRemembered: false,
  issueOrderNo: issueUnleasedOrderNo,
  decide(asking) {
    asking.readBuyers = readDatabaseBuyers;
    return purchaseByDatabase({ ...asking, limit: countPurchaseOf(asking) });
  },
  heal: renewEpoch,
};
