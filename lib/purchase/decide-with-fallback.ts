import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { endPurchase } from '@/lib/fallback/records/allocation';
import { createTokenBucket } from '@/lib/fallback/records/token-bucket';
import type { StockPlace } from '@/lib/fallback/records/types';
import { owesOrders, placeOf, rereadAndSettle, takeFromAllocation } from '@/lib/fallback/stock-place';
import { orderKey } from '@/lib/ids/order-key';
import { healStock } from '@/lib/loading/heal-stock';
import { keepAccepted } from '@/lib/loading/keep-accepted';
import { isReplayDue, replayAccepted } from '@/lib/loading/replay-accepted';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { issueUnleasedOrderNo } from '@/lib/order/records/issue-unleased-order-no';
import { type AcceptedOrder, acceptedOf } from '@/lib/outbox/accepted-order';
import { handOver } from '@/lib/settlement/hand-over';
import { type PurchaseResult, purchaseStock } from '@/lib/stock/purchase-stock';
import { countPurchaseOf } from './count-purchase-of';
import type { Asking, Decider } from './decider';
import { purchaseByDatabase } from './purchase-by-database';
import { readDatabaseBuyers } from './read-database-buyers';
import { refuseFromMemory } from './refuse-from-memory';

/**
 * Bounds what one process may ask of Postgres per second while Redis is away, refusals included. A purchase is a few
 * statements.
 */
const bucket = createTokenBucket(500, 250);

const BUSY: PurchaseResult = { status: 'busy' };

/**
 * Decides for a sale that goes over to Postgres while Redis can't be reached. While Redis sells, a purchase costs one
 * script, within units that Postgres granted this process in advance. While Postgres sells, it costs a transaction
 * there. Answers `busy` between the two, without granted units, and above the load that Postgres should bear.
 */
export const decideWithFallback: Decider = {
  looksInMemory: 'in_decide',
  joinsClicks: true,
  // `decide` itself remembers what Redis accepts, before it checks whether the sale is still sold there.
  isRemembered: false,
  fillsOutbox: async ({ saleId }) => (await placeOf(saleId))?.mode === 'redis',
  // `decide` issues the number: its kind depends on which store sells by then.
  issueOrderNo: () => '',
  decide: askStoreInCharge,
  async heal({ saleId }) {
    // Redis has lost the sale, or the sale has moved since we looked.
    await healStock(saleId);
    await rereadAndSettle(saleId);
    return true;
  },
};

async function askStoreInCharge(asking: Asking): Promise<PurchaseResult> {
  const { saleId, info, requester } = asking;
  const place = await placeOf(saleId);
  if (!place) return { status: 'unknown_sale' };
  asking.epoch = place.epoch;
  const refused = refuseFromMemory(info, { ...asking, endsAt: info.endsAt }, requester);
  if (refused) return refused;
  asking.askedAt = performance.now();
  const isByRedis = place.mode === 'redis';
  asking.readBuyers = isByRedis ? undefined : readDatabaseBuyers;
  return isByRedis ? askRedis(asking, info) : askDatabase(asking, place);
}

async function askDatabase(asking: Asking, { mode }: StockPlace): Promise<PurchaseResult> {
  // Purchases that got a 202 go first. Otherwise a shopper's second click would buy again what the first has bought.
  if (mode !== 'database' || owesOrders(asking.saleId) || !bucket.take(performance.now())) return BUSY;
  const orderNo = issueUnleasedOrderNo(asking.userId);
  return purchaseByDatabase({ ...asking, orderNo, limit: countPurchaseOf(asking) });
}

async function askRedis(asking: Asking, { limitPerUser }: SaleInfo): Promise<PurchaseResult> {
  const { saleId, epoch, userId, quantity } = asking;
  if (isReplayDue(saleId, epoch)) await replayAccepted(saleId, epoch);
  const orderNo = await issueOrderNo(userId);
  // More units than the limit are never sold. Such a request only gets its refusal, so it takes no granted units.
  const units = quantity <= limitPerUser ? quantity : 0;
  const allocation = await takeFromAllocation(saleId, epoch, units);
  if (!allocation) return BUSY;
  const purchase = { ...asking, orderNo };
  // While the outcome is open, the units count as sold.
  let unsold = 0;
  try {
    const result = await purchaseStock(purchase);
    if (result.status !== 'accepted') {
      unsold = units;
      return result;
    }
    const { acceptedAt } = result;
    keepAccepted(purchase, acceptedAt);
    if (allocation.isOpen || (await placeOf(saleId))?.mode === 'redis') return result;
    // The sale left Redis before Redis answered. Meanwhile the shopper may have bought elsewhere.
    return (await handOverNow(saleId, acceptedOf(purchase, acceptedAt))) ? result : BUSY;
  } finally {
    endPurchase(allocation, unsold);
  }
}

/**
 * Writes the purchase as an order. @returns whether it is one now: not if the shopper has bought something else instead
 */
async function handOverNow(saleId: string, order: AcceptedOrder): Promise<boolean> {
  await handOver(saleId, [order]);
  const row = await db().order.findUnique({ where: { shard_id: orderKey(order.orderNo) } });
  return row?.status === 'pending_payment' || row?.status === 'paid';
}
