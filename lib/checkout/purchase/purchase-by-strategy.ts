import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { SaleStrategy } from '@/lib/contract/words/sale';
import { issueOrderNo } from '@/lib/order/issue-order-no';
import { issueUnleasedOrderNo } from '@/lib/order/issue-unleased-order-no';
import { type Purchase, type PurchaseResult, purchaseStock } from '@/lib/stock/purchase-stock';
import { purchaseUnderLock } from '@/lib/stock/purchase-under-lock';
import { countPurchase } from '@/lib/stock/recent-stock';
import { clearSoldOut, isSurelySoldOut, learnSoldOut } from '@/lib/stock/sold-out-flag';
import { healEpoch } from '../recovery/heal-epoch';
import { isReplayDue, replayAccepted } from '../recovery/replay-accepted';
import { findReservation } from '../reservation/find-reservation';
import { limitFromMemory, limitRequest, type Requester } from '../risk/limit-request';
import { keepAccepted, keepRepeated } from './keep-accepted';
import { purchaseByDatabase } from './purchase-by-database';
import { purchaseWithFallback } from './purchase-with-fallback';
import { readDatabaseBuyers } from './read-database-buyers';

/** Who decides. Each takes the same question and gives the same answers. */
const DECIDERS: Record<SaleStrategy, (purchase: Purchase) => Promise<PurchaseResult>> = {
  script: purchaseStock,
  lock: purchaseUnderLock,
  database: purchaseByDatabase,
};

type Asked = Pick<Purchase, 'gate' | 'userId' | 'jti' | 'quantity'>;

// The web process holds this module twice (fast path and Next's bundle).
const holder = globalThis as typeof globalThis & { seckillPurchases?: Map<string, Promise<PurchaseResult>> };

/**
 * One purchase of a sale whose strategy is not the script alone. Impatient clicks with one token that meet in this process
 * are decided once: the first is answered what was decided, the others get that answer again.
 */
export async function purchaseByStrategy(
  info: SaleInfo,
  asked: Asked,
  requester: Requester,
): Promise<PurchaseResult> {
  holder.seckillPurchases ??= new Map();
  const underWay = holder.seckillPurchases;
  const key = [info.saleId, asked.userId, asked.jti, asked.quantity, asked.gate].join(' ');
  const first = underWay.get(key);
  if (first) {
    const result = await first;
    if (result.status !== 'accepted') return result;
    return { status: 'replayed', orderNo: result.orderNo, quantity: asked.quantity };
  }
  const hasFallback = info.onStockOutage === 'database';
  const deciding = (hasFallback ? purchaseWithFallback : decide)(info, asked, requester).finally(() =>
    underWay.delete(key),
  );
  underWay.set(key, deciding);
  return deciding;
}

/** As the sale has selected; sold-out flag and healing as on the script's short way. */
async function decide(
  info: SaleInfo,
  { gate, userId, jti, quantity }: Asked,
  requester: Requester,
): Promise<PurchaseResult> {
  const { saleId, epoch, endsAt, strategy } = info;
  const asked = { saleId, epoch, gate, userId, quantity, endsAt };
  if (isSurelySoldOut(asked)) {
    const limited = limitFromMemory(info, 'purchase', requester);
    return limited ? { status: 'rate_limited', ...limited } : { status: 'sold_out', available: 0 };
  }
  const askedAt = performance.now();
  const isInDatabase = strategy === 'database';
  const orderNo = isInDatabase ? issueUnleasedOrderNo(userId) : await issueOrderNo(userId);
  const limit = () => limitRequest(info, 'purchase', requester, ['user', 'interface', 'ip']);
  const purchase = { saleId, gate, userId, jti, quantity, orderNo, limit };
  let current = epoch;
  const ask = async () => {
    if (!isInDatabase && isReplayDue(saleId, current)) await replayAccepted(saleId, current);
    return DECIDERS[strategy]({ ...purchase, epoch: current });
  };

  let result = await ask();
  if (result.status === 'unknown_sale' || result.status === 'stale_epoch') {
    const healed = await healEpoch({ saleId });
    if (healed !== null) {
      current = healed;
      result = await ask();
    }
  }
  // Made while Redis was down, and Redis learns of it in this moment.
  if (result.status === 'not_reserved' && (await findReservation(info, userId)) !== null)
    result = await ask();
  if (result.status === 'sold_out') {
    learnSoldOut(asked, result.available, askedAt, isInDatabase ? readDatabaseBuyers : undefined);
  } else if (result.status === 'accepted') {
    if (!isInDatabase) keepAccepted({ ...purchase, epoch: current }, result.acceptedAt);
    clearSoldOut(saleId);
    countPurchase(saleId, quantity, result.acceptedAt);
  } else if (result.status === 'replayed' && result.quantity === quantity && !isInDatabase) {
    keepRepeated({ ...purchase, epoch: current, orderNo: result.orderNo });
  }
  return result;
}
