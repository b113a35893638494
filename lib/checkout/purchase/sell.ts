import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { isBacklogged } from '@/lib/outbox/backlog';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { countPurchase } from '@/lib/stock/recent-stock';
import { clearSoldOut, learnSoldOut } from '@/lib/stock/sold-out-flag';
import { findReservation } from '../reservation/find-reservation';
import { countedAddress, type Requester } from '../risk/limit-request';
import type { Asked, Asking, Decider } from './decider';
import { deciderOf } from './deciders';
import { findFirstAnswer } from './find-first-answer';
import { joinClicks } from './join-clicks';
import { keepAccepted, keepRepeated } from './keep-accepted';
import { NONE_LEFT, refuseFromMemory } from './refuse-from-memory';

/** `backlogged`: too many accepted purchases wait for their orders to be written. */
export type Sold = PurchaseResult | { status: 'backlogged' };

/**
 * One purchase of any sale: the sale's decider decides, everything around it is here. Refusals from this process's
 * memory come without a promise where the script decides: most of what a flash sale says is one of them.
 * @throws connection errors. The outcome is open then: asking again with the same `jti` tells it.
 */
export function sell(info: SaleInfo, asked: Asked, requester: Requester): Sold | Promise<Sold> {
  const decider = deciderOf(info);
  if (decider.looksInMemory === 'at_once') {
    const refused = refuseFromMemory(info, asked, requester);
    if (refused) return refused;
  }
  if (decider.fillsOutbox && isBacklogged(info.saleId))
    return sellBacklogged(decider, info, asked, requester);
  return sellInTurn(decider, info, asked, requester);
}

/** Nothing more is accepted until orders are written again. */
async function sellBacklogged(
  decider: Decider,
  info: SaleInfo,
  asked: Asked,
  requester: Requester,
): Promise<Sold> {
  if (!(await decider.fillsOutbox?.(info))) return sellInTurn(decider, info, asked, requester);
  return (await findFirstAnswer(asked)) ?? { status: 'backlogged' };
}

const sellInTurn = (decider: Decider, info: SaleInfo, asked: Asked, requester: Requester) =>
  decider.joinsClicks
    ? joinClicks(asked, () => sellOnce(decider, info, asked, requester))
    : sellOnce(decider, info, asked, requester);

async function sellOnce(
  decider: Decider,
  info: SaleInfo,
  asked: Asked,
  requester: Requester,
): Promise<PurchaseResult> {
  if (decider.looksInMemory === 'in_turn') {
    const refused = refuseFromMemory(info, asked, requester);
    if (refused) return refused;
  }
  const { saleId, epoch, gate, userId, jti, quantity } = asked;
  const askedAt = performance.now();
  const issued = decider.issueOrderNo(userId);
  const orderNo = typeof issued === 'string' ? issued : await issued;
  // Spelt out: copies by `...` are slow, and this is the path on which it shows.
  const asking: Asking = {
    saleId,
    epoch,
    gate,
    userId,
    jti,
    quantity,
    orderNo,
    address: countedAddress(info, requester),
    info,
    requester,
    askedAt,
    readBuyers: undefined,
  };
  let result = await decider.decide(asking);
  if ((result.status === 'unknown_sale' || result.status === 'stale_epoch') && (await decider.heal(asking))) {
    result = await decider.decide(asking);
  }
  // Made while Redis was down, and Redis learns of it in this moment.
  if (result.status === 'not_reserved' && (await findReservation(info, userId)) !== null) {
    result = await decider.decide(asking);
  }
  if (result.status === 'accepted') {
    if (decider.keeps) keepAccepted(asking, result.acceptedAt);
    clearSoldOut(saleId);
    countPurchase(saleId, quantity, result.acceptedAt);
  } else if (result.status === 'sold_out') {
    // Memory learns nothing from what it said itself.
    if (result !== NONE_LEFT) {
      // Only a decider that looks itself knows a newer epoch than the next request will ask for.
      const known = decider.looksInMemory === 'itself' ? asking : asked;
      learnSoldOut(known, result.available, asking.askedAt, asking.readBuyers);
    }
  } else if (result.status === 'replayed' && result.quantity === quantity && decider.keeps) {
    keepRepeated({ ...asking, orderNo: result.orderNo });
  }
  return result;
}
