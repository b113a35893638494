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
import { isBacklogged } from '@/lib/outbox/backlog';
import { findSaleInfo, peekSaleInfo } from '@/lib/sale/find-sale-info';
import type { SaleInfo } from '@/lib/sale/types';
import { type Purchase, type PurchaseResult, purchaseStock } from '@/lib/stock/purchase-stock';
import { readBuyer } from '@/lib/stock/read-buyer';
import { countPurchase } from '@/lib/stock/recent-stock';
import { clearSoldOut, isSurelySoldOut, learnSoldOut } from '@/lib/stock/sold-out-flag';
import { healEpoch } from './heal-epoch';
import { keepAccepted, keepRepeated } from './keep-accepted';
import { parseQuantity } from './parse-quantity';
import { purchaseByStrategy } from './purchase-by-strategy';
import { isReofferDue, reofferAccepted } from './reoffer-accepted';

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
/** Orders are written at thousands a second once whatever is down is back: asking every second would not help. */
const BACKLOGGED: ProblemOptions = { retryAfterMs: 5_000 };
const ACCEPTED_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/**
 * The purchase: one token check, one script. Says at once whether the shopper is in; the order is written afterwards.
 * A plain function from a request record to a reply record, so that any adapter can serve it. Refusals that need nothing
 * but this process's memory come without a promise: most of what a flash sale says is one of them.
 */
export function purchase(request: PurchaseRequest): Reply | Promise<Reply> {
  const known = peekSaleInfo(request.saleId);
  if (known !== undefined) return decide(known, request);
  return unlessOut(
    request.saleId,
    findSaleInfo(request.saleId).then((info) => decide(info, request)),
  );
}

function decide(info: SaleInfo | null, { saleId, gate, entryToken, body }: PurchaseRequest) {
  if (!info) return problemReply('SALE_NOT_FOUND');
  const entry = verifyEntryToken(entryToken ?? '', saleId, nowMs());
  if (entry.status !== 'valid') return refuse(saleId, 'ENTRY_INVALID', { extra: { reason: entry.status } });
  const parsed = parseQuantity(body);
  if (parsed.status === 'malformed') return refuse(saleId, 'MALFORMED', { detail: 'The body is not JSON.' });
  if (parsed.status === 'invalid') return refuse(saleId, 'INVALID_QUANTITY');

  const { userId, jti } = entry.claims;
  const { epoch, endsAt } = info;
  const asked = { saleId, epoch, gate, userId, jti, quantity: parsed.quantity, endsAt };
  if (!isByOther(info) && isSurelySoldOut(asked)) return refuse(saleId, 'SOLD_OUT', NONE_LEFT, 'soldOut');
  return unlessOut(saleId, sell(info, asked));
}

const isByOther = ({ strategy }: SaleInfo) => strategy === 'database' || strategy === 'lock';

type Asked = Omit<Purchase, 'orderNo'> & { endsAt: number };

async function sell(info: SaleInfo, asked: Asked): Promise<Reply> {
  const { saleId, quantity } = asked;
  if (info.strategy !== 'database' && isBacklogged(saleId)) return answerBacklogged(info, asked);
  if (isByOther(info)) return answer(info, await purchaseByStrategy(info, asked), quantity);
  const askedAt = performance.now();
  const orderNo = await issueOrderNo(asked.userId);
  let { epoch } = info;
  const ask = async () => {
    // Whoever was answered 202 before Redis lost it goes first.
    if (isReofferDue(saleId, epoch)) await reofferAccepted(saleId, epoch);
    return purchaseStock({ ...asked, epoch, orderNo });
  };

  let result = await ask();
  if (result.status === 'unknown_sale' || result.status === 'stale_epoch') {
    const current = await healEpoch(info);
    if (current !== null) {
      epoch = current;
      result = await ask();
    }
  }
  if (result.status === 'sold_out') learnSoldOut(asked, result.available, askedAt);
  else if (result.status === 'accepted') {
    keepAccepted({ ...asked, epoch, orderNo }, result.acceptedAt);
    clearSoldOut(saleId);
    countPurchase(saleId, quantity, result.acceptedAt);
  } else if (result.status === 'replayed' && result.quantity === quantity) {
    keepRepeated({ ...asked, epoch, orderNo: result.orderNo });
  }
  return answer(info, result, quantity);
}

/** Accepts nothing more until orders are written again; whoever was accepted gets that answer again. */
async function answerBacklogged(info: SaleInfo, asked: Asked): Promise<Reply> {
  const { userId, jti, quantity } = asked;
  const first = (await readBuyer(info.saleId, userId)).find((record) => record.jti === jti);
  if (!first) return refuse(info.saleId, 'STOCK_UNAVAILABLE', BACKLOGGED);
  const { orderNo, units } = first;
  if (units === quantity) keepRepeated({ ...asked, orderNo });
  return answer(info, { status: 'replayed', orderNo, quantity: units }, quantity);
}

/** 503 instead of an error when Redis or Postgres can't be reached. */
async function unlessOut(saleId: string, reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    if (!isOutage(error)) throw error;
    log.warn({ saleId, err: error }, 'stock unreachable');
    // The outcome is open: the same token asks again and gets the answer that was given, if one was.
    return problemReply('STOCK_UNAVAILABLE');
  }
}

function answer(info: SaleInfo, result: PurchaseResult, quantity: number): Reply {
  const { saleId } = info;
  switch (result.status) {
    case 'accepted':
    case 'replayed': {
      // One token, one purchase: whoever asks for something else with it must not take the first answer for this one.
      if (result.status === 'replayed' && result.quantity !== quantity) {
        const { orderNo, quantity: units } = result;
        return refuse(saleId, 'IDEMPOTENCY_MISMATCH', { extra: { orderNo, quantity: units } });
      }
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
    case 'busy':
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
