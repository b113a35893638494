import 'server-only';
import { nowMs } from '@/lib/clock';
import { verifyEntryToken } from '@/lib/entry/verify-entry-token';
import type { ErrorCode } from '@/lib/errors/codes';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { type ProblemOptions, problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { type AttemptOutcome, countAttempt } from '@/lib/metrics/attempts';
import { issueOrderNo } from '@/lib/order/issue-order-no';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/find-sale-info';
import type { SaleInfo } from '@/lib/sale/types';
import { type PurchaseResult, purchaseStock } from '@/lib/stock/purchase-stock';
import { countPurchase } from '@/lib/stock/recent-stock';
import { clearSoldOut, isSurelySoldOut, learnSoldOut } from '@/lib/stock/sold-out-flag';
import { ensureStockLoaded } from './ensure-stock-loaded';
import { parseQuantity } from './parse-quantity';

export type PurchaseRequest = {
  saleId: string;
  /** From the address; only the state endpoint gives it away, after the start. */
  gate: string;
  /** Header `X-Entry-Token`. */
  entryToken: string | null;
  /** The raw body; empty = one unit. */
  body: string;
};

const NONE_LEFT: ProblemOptions = { extra: { available: 0 } };
const ACCEPTED_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/**
 * The purchase: one token check, one script. Says at once whether the shopper is in; the order is written afterwards.
 * A plain function from a request record to a reply record, so that any adapter can serve it.
 */
export async function purchase(request: PurchaseRequest): Promise<Reply> {
  try {
    return await decide(request);
  } catch (error) {
    if (!isOutage(error)) throw error;
    log.warn({ saleId: request.saleId, err: error }, 'stock unreachable');
    // The outcome is open: the same token asks again and gets the answer that was given, if one was.
    return problemReply('STOCK_UNAVAILABLE');
  }
}

async function decide({ saleId, gate, entryToken, body }: PurchaseRequest): Promise<Reply> {
  const info = await findSaleInfo(saleId);
  if (!info) return problemReply('SALE_NOT_FOUND');
  const entry = verifyEntryToken(entryToken ?? '', saleId, nowMs());
  if (entry.status !== 'valid') return refuse(saleId, 'ENTRY_INVALID', { extra: { reason: entry.status } });
  const quantity = parseQuantity(body);
  if (quantity.status === 'malformed')
    return refuse(saleId, 'MALFORMED', { detail: 'The body is not JSON.' });
  if (quantity.status === 'invalid') return refuse(saleId, 'INVALID_QUANTITY');

  const { userId, jti } = entry.claims;
  const asked = { saleId, epoch: info.epoch, gate, userId, quantity: quantity.quantity, endsAt: info.endsAt };
  if (isSurelySoldOut(asked)) return refuse(saleId, 'SOLD_OUT', NONE_LEFT, 'soldOut');
  const askedAt = performance.now();
  const orderNo = await issueOrderNo(userId);
  const ask = (epoch: number) =>
    purchaseStock({ saleId, epoch, gate, userId, jti, orderNo, quantity: quantity.quantity });

  let result = await ask(info.epoch);
  if (result.status === 'unknown_sale' || result.status === 'stale_epoch') {
    const current = await healEpoch(info);
    if (current !== null) result = await ask(current);
  }
  if (result.status === 'sold_out') learnSoldOut(asked, result.available, askedAt);
  else if (result.status === 'accepted') {
    clearSoldOut(saleId);
    countPurchase(saleId, quantity.quantity, result.acceptedAt);
  }
  return answer(info, result);
}

/** Redis and this process disagree about the loading: look again, load if Redis lost it. Null = can't sell now. */
async function healEpoch(info: SaleInfo): Promise<number | null> {
  await forgetSaleInfo(info.saleId);
  await ensureStockLoaded(info.saleId);
  return (await findSaleInfo(info.saleId))?.epoch ?? null;
}

function answer(info: SaleInfo, result: PurchaseResult): Reply {
  const { saleId } = info;
  switch (result.status) {
    case 'accepted':
    case 'replayed': {
      const replay = result.status === 'replayed';
      countAttempt(saleId, result.status);
      return {
        status: 202,
        headers: ACCEPTED_HEADERS,
        body: `{"orderNo":"${result.orderNo}","status":"queued","replay":${replay}}`,
      };
    }
    case 'sold_out':
      return refuse(saleId, 'SOLD_OUT', { extra: { available: result.available } }, 'soldOut');
    case 'already_bought':
      return refuse(saleId, 'LIMIT_REACHED', {
        extra: { orderNo: result.orderNo, limitPerUser: info.limitPerUser },
      });
    case 'over_limit':
      return refuse(saleId, 'LIMIT_REACHED', { extra: { limitPerUser: info.limitPerUser } });
    case 'not_started':
      return refuse(saleId, 'NOT_STARTED');
    case 'ended':
      return refuse(saleId, 'ENDED');
    case 'paused':
      return refuse(saleId, 'PAUSED');
    case 'gate_invalid':
      return refuse(saleId, 'GATE_INVALID');
    case 'unknown_sale':
    case 'stale_epoch':
      return refuse(saleId, 'STOCK_UNAVAILABLE');
  }
}

function refuse(
  saleId: string,
  code: ErrorCode,
  options?: ProblemOptions,
  outcome: AttemptOutcome = 'rejected',
): Reply {
  countAttempt(saleId, outcome);
  return problemReply(code, options);
}
