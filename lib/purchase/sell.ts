import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { limitedAddress, limitedDevice, type Requester } from '@/lib/limit/limit-request';
import { keepAccepted, keepRepeated } from '@/lib/loading/keep-accepted';
import { isBacklogged } from '@/lib/outbox/backlog';
import { findReservation } from '@/lib/reservation/find-reservation';
import { isSameWish } from '@/lib/stock/bought';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { countPurchase } from '@/lib/stock/recent-stock';
import { clearSoldOut, learnSoldOut } from '@/lib/stock/sold-out-flag';
import type { Asking, Decider, PurchaseQuestion } from './decider';
import { deciderOf } from './deciders';
import { findFirstAnswer } from './find-first-answer';
import { joinClicks } from './join-clicks';
import { NONE_LEFT, refuseFromMemory } from './refuse-from-memory';

/**
 * Decides one purchase of any sale. The sale's decider decides; everything around it is here. Where the script
 * decides, refusals from this process's memory come without a promise: they are most of a flash sale's answers.
 * @throws connection errors. Then the outcome is open: asking again with the same `jti` tells it.
 */
export function sell(
  info: SaleInfo,
  asked: PurchaseQuestion,
  requester: Requester,
): PurchaseResult | Promise<PurchaseResult> {
  const decider = deciderOf(info);
  if (decider.looksInMemory === 'at_once') {
    const refused = refuseFromMemory(info, asked, requester);
    if (refused) return refused;
  }
  if (decider.fillsOutbox && isBacklogged(info.saleId))
    return sellBacklogged(decider, info, asked, requester);
  return sellInTurn(decider, info, asked, requester);
}

/** Accepts nothing more until orders are written again. Repeats first answers. */
async function sellBacklogged(
  decider: Decider,
  info: SaleInfo,
  asked: PurchaseQuestion,
  requester: Requester,
): Promise<PurchaseResult> {
  if (!(await decider.fillsOutbox?.(info))) return sellInTurn(decider, info, asked, requester);
  return (await findFirstAnswer(asked)) ?? { status: 'backlogged' };
}

const sellInTurn = (decider: Decider, info: SaleInfo, asked: PurchaseQuestion, requester: Requester) =>
  decider.joinsClicks
    ? joinClicks(asked, () => sellOnce(decider, info, asked, requester))
    : sellOnce(decider, info, asked, requester);

async function sellOnce(
  decider: Decider,
  info: SaleInfo,
  asked: PurchaseQuestion,
  requester: Requester,
): Promise<PurchaseResult> {
  if (decider.looksInMemory === 'in_turn') {
    const refused = refuseFromMemory(info, asked, requester);
    if (refused) return refused;
  }
  const { saleId, epoch, gate, userId, jti, quantity, variant } = asked;
  const askedAt = performance.now();
  const issued = decider.issueOrderNo(userId);
  const orderNo = typeof issued === 'string' ? issued : await issued;
  // Spelt out, because copies by `...` are slow, and on this path that shows.
  const asking: Asking = {
    saleId,
    epoch,
    gate,
    userId,
    jti,
    quantity,
    variant,
    orderNo,
    address: limitedAddress(info, requester),
    device: limitedDevice(info, requester),
    info,
    requester,
    askedAt,
    readBuyers: undefined,
  };
  let result = await decider.decide(asking);
  if ((result.status === 'unknown_sale' || result.status === 'stale_epoch') && (await decider.heal(asking))) {
    result = await decider.decide(asking);
  }
  // The reservation was made while Redis was down. Finding it has just told Redis of it.
  if (result.status === 'not_reserved' && (await findReservation(info, userId)) !== null) {
    result = await decider.decide(asking);
  }
  if (result.status === 'accepted') {
    if (decider.isRemembered) keepAccepted(asking, result.acceptedAt);
    clearSoldOut(saleId);
    countPurchase(saleId, asked, result.acceptedAt);
  } else if (result.status === 'sold_out') {
    // An answer from memory teaches memory nothing.
    if (result !== NONE_LEFT) {
      // The flag belongs to the epoch that the next request will ask for. Only a decider that looks itself knows a
      // newer one.
      const known = decider.looksInMemory === 'in_decide' ? asking : asked;
      learnSoldOut(known, result.ofAll ?? result.available, asking.askedAt, asking.readBuyers);
    }
  } else if (result.status === 'replayed' && isSameWish(result, asked) && decider.isRemembered) {
    keepRepeated({ ...asking, orderNo: result.orderNo });
  }
  return result;
}
