import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { endPurchase } from '@/lib/fallback/allocation';
import { createTokenBucket } from '@/lib/fallback/token-bucket';
import type { Route } from '@/lib/fallback/types';
import { issueOrderNo } from '@/lib/order/issue-order-no';
import { issueUnleasedOrderNo } from '@/lib/order/issue-unleased-order-no';
import { orderKey } from '@/lib/order/order-key';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { type PurchaseResult, purchaseStock } from '@/lib/stock/purchase-stock';
import { handOver } from '../order/hand-over';
import { healStock } from '../recovery/heal-stock';
import { isReplayDue, replayAccepted } from '../recovery/replay-accepted';
import { countPurchaseOf } from './count-purchase-of';
import type { Asking, Decider } from './decider';
import { keepAccepted } from './keep-accepted';
import { purchaseByDatabase } from './purchase-by-database';
import { readDatabaseBuyers } from './read-database-buyers';
import { refuseFromMemory } from './refuse-from-memory';
import { lookAgain, owesOrders, routeOf, takeFromAllocation } from './stock-route';

/** What one process may put on Postgres a second while Redis is away, refusals included; a purchase is a few statements. */
const bucket = createTokenBucket(500, 250);

const BUSY: PurchaseResult = { status: 'busy' };

/**
 * For a sale that goes over to Postgres while Redis can't be reached. Sold through Redis, a purchase costs the same one
 * script, within what Postgres has granted this process beforehand; sold through Postgres, one transaction there.
 * `busy` between the two, while nothing can be granted, and when more come than Postgres should bear.
 */
export const decideByRoute: Decider = {
  looksInMemory: 'itself',
  joinsClicks: true,
  // What Redis accepts it remembers itself, before it looks whether the sale is still sold there.
  keeps: false,
  fillsOutbox: async ({ saleId }) => (await routeOf(saleId))?.mode === 'redis',
  // Which kind of number it is depends on who sells by then.
  issueOrderNo: () => '',
  decide,
  async heal({ saleId }) {
    // Redis has lost the sale, or it is sold elsewhere since we looked.
    await healStock(saleId);
    await lookAgain(saleId);
    return true;
  },
};

async function decide(asking: Asking): Promise<PurchaseResult> {
  const { saleId, info, requester } = asking;
  const route = await routeOf(saleId);
  if (!route) return { status: 'unknown_sale' };
  asking.epoch = route.epoch;
  const refused = refuseFromMemory(info, { ...asking, endsAt: info.endsAt }, requester);
  if (refused) return refused;
  asking.askedAt = performance.now();
  const isByRedis = route.mode === 'redis';
  asking.readBuyers = isByRedis ? undefined : readDatabaseBuyers;
  return isByRedis ? askRedis(asking, info) : askDatabase(asking, route);
}

async function askDatabase(asking: Asking, { mode }: Route): Promise<PurchaseResult> {
  // Whoever was answered 202 goes first, or somebody's second click would buy what the first has bought.
  if (mode !== 'database' || owesOrders(asking.saleId) || !bucket.take(performance.now())) return BUSY;
  const orderNo = issueUnleasedOrderNo(asking.userId);
  return purchaseByDatabase({ ...asking, orderNo, limit: countPurchaseOf(asking) });
}

async function askRedis(asking: Asking, { limitPerUser }: SaleInfo): Promise<PurchaseResult> {
  const { saleId, epoch, userId, jti, quantity } = asking;
  if (isReplayDue(saleId, epoch)) await replayAccepted(saleId, epoch);
  const orderNo = await issueOrderNo(userId);
  // More than the limit is never sold: that is asked for a refusal, and must not be granted.
  const units = quantity <= limitPerUser ? quantity : 0;
  const allocation = await takeFromAllocation(saleId, epoch, units);
  if (!allocation) return BUSY;
  const purchase = { ...asking, orderNo };
  // While the outcome is open the units count as sold.
  let unsold = 0;
  try {
    const result = await purchaseStock(purchase);
    if (result.status !== 'accepted') {
      unsold = units;
      return result;
    }
    const { acceptedAt } = result;
    keepAccepted(purchase, acceptedAt);
    if (allocation.isOpen || (await routeOf(saleId))?.mode === 'redis') return result;
    // The sale has left Redis while Redis took its time. The shopper may have bought elsewhere since.
    return (await isHandedOver(saleId, { orderNo, userId, quantity, jti, epoch, acceptedAt }))
      ? result
      : BUSY;
  } finally {
    endPurchase(allocation, unsold);
  }
}

/** Writes it as an order. @returns false if it could not become one: then something else has been bought instead. */
async function isHandedOver(saleId: string, order: AcceptedOrder): Promise<boolean> {
  await handOver(saleId, [order]);
  const row = await db().order.findUnique({ where: { shard_id: orderKey(order.orderNo) } });
  return row?.status === 'pending_payment' || row?.status === 'paid';
}
