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
import { type Purchase, type PurchaseResult, purchaseStock } from '@/lib/stock/purchase-stock';
import { countPurchase } from '@/lib/stock/recent-stock';
import { clearSoldOut, isSurelySoldOut, learnSoldOut } from '@/lib/stock/sold-out-flag';
import { handOver } from '../order/hand-over';
import { healStock } from '../recovery/heal-stock';
import { isReplayDue, replayAccepted } from '../recovery/replay-accepted';
import { findReservation } from '../reservation/find-reservation';
import { countedAddress, limitFromMemory, limitRequest, type Requester } from '../risk/limit-request';
import { keepAccepted } from './keep-accepted';
import { purchaseByDatabase } from './purchase-by-database';
import { readDatabaseBuyers } from './read-database-buyers';
import { lookAgain, owesOrders, routeOf, takeFromAllocation } from './stock-route';

/** What one process may put on Postgres a second while Redis is away, refusals included; a purchase is a few statements. */
const bucket = createTokenBucket(500, 250);

const BUSY: PurchaseResult = { status: 'busy' };

type Wanted = Pick<Purchase, 'gate' | 'userId' | 'jti' | 'quantity'>;
type Asked = Omit<Purchase, 'orderNo'>;

/**
 * One purchase of a sale that goes over to Postgres while Redis can't be reached. Sold through Redis, it costs the same
 * one script, within what Postgres has granted this process beforehand; sold through Postgres, one transaction there.
 * @returns `busy` between the two, while nothing can be granted, and when more come than Postgres should bear.
 * @throws connection errors. The outcome is open then: asking again with the same `jti` tells it.
 */
export async function purchaseWithFallback(
  info: SaleInfo,
  wanted: Wanted,
  requester: Requester,
): Promise<PurchaseResult> {
  let result = await ask(info, wanted, requester);
  if (result.status === 'unknown_sale' || result.status === 'stale_epoch') {
    // Redis has lost the sale, or it is sold elsewhere since we looked.
    await healStock(info.saleId);
    await lookAgain(info.saleId);
    result = await ask(info, wanted, requester);
  }
  // Made while Redis was down, and Redis learns of it in this moment.
  if (result.status === 'not_reserved' && (await findReservation(info, wanted.userId)) !== null)
    result = await ask(info, wanted, requester);
  return result;
}

async function ask(info: SaleInfo, wanted: Wanted, requester: Requester): Promise<PurchaseResult> {
  const { saleId, endsAt, limitPerUser } = info;
  const route = await routeOf(saleId);
  if (!route) return { status: 'unknown_sale' };
  const { gate, userId, jti, quantity } = wanted;
  const asked: Asked = { saleId, epoch: route.epoch, gate, userId, jti, quantity };
  if (isSurelySoldOut({ ...asked, endsAt })) {
    const limited = limitFromMemory(info, 'purchase', requester);
    return limited ? { status: 'rate_limited', ...limited } : { status: 'sold_out', available: 0 };
  }
  const askedAt = performance.now();
  const isByRedis = route.mode === 'redis';
  const limit = () => limitRequest(info, 'purchase', requester, ['user', 'interface', 'ip']);
  const result = isByRedis
    ? await askRedis({ ...asked, address: countedAddress(info, requester) }, limitPerUser)
    : await askDatabase(route, { ...asked, limit });
  if (result.status === 'sold_out') {
    learnSoldOut(asked, result.available, askedAt, isByRedis ? undefined : readDatabaseBuyers);
  } else if (result.status === 'accepted') {
    clearSoldOut(saleId);
    countPurchase(saleId, quantity, result.acceptedAt);
  }
  return result;
}

async function askDatabase({ mode }: Route, asked: Asked): Promise<PurchaseResult> {
  // Whoever was answered 202 goes first, or somebody's second click would buy what the first has bought.
  if (mode !== 'database' || owesOrders(asked.saleId) || !bucket.take(performance.now())) return BUSY;
  return purchaseByDatabase({ ...asked, orderNo: issueUnleasedOrderNo(asked.userId) });
}

async function askRedis(asked: Asked, limit: number): Promise<PurchaseResult> {
  const { saleId, epoch, userId, jti, quantity } = asked;
  if (isReplayDue(saleId, epoch)) await replayAccepted(saleId, epoch);
  const orderNo = await issueOrderNo(userId);
  // More than the limit is never sold: that is asked for a refusal, and must not be granted.
  const units = quantity <= limit ? quantity : 0;
  const allocation = await takeFromAllocation(saleId, epoch, units);
  if (!allocation) return BUSY;
  // While the outcome is open the units count as sold.
  let unsold = 0;
  try {
    const result = await purchaseStock({ ...asked, orderNo });
    if (result.status !== 'accepted') {
      unsold = units;
      return result;
    }
    const { acceptedAt } = result;
    keepAccepted({ ...asked, orderNo }, acceptedAt);
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
