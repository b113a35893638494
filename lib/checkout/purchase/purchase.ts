import 'server-only';
import { findBlock } from '@/lib/block/find-block';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { RiskClass } from '@/lib/contract/words/attempt';
import type { AttemptOutcome } from '@/lib/contract/words/live';
import type { ErrorCode } from '@/lib/errors/codes';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { type ProblemOptions, problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import { countAttempt } from '@/lib/metrics/attempts';
import { issueOrderNo } from '@/lib/order/issue-order-no';
import { isBacklogged } from '@/lib/outbox/backlog';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { noteOrigin, noteRisk } from '@/lib/risk/noted';
import { findSaleInfo, peekSaleInfo } from '@/lib/sale/find-sale-info';
import { onNewServer } from '@/lib/stock/new-server';
import { type Purchase, type PurchaseResult, purchaseStock } from '@/lib/stock/purchase-stock';
import { readBuyer } from '@/lib/stock/read-buyer';
import { countPurchase } from '@/lib/stock/recent-stock';
import { clearSoldOut, isSurelySoldOut, learnSoldOut } from '@/lib/stock/sold-out-flag';
import { isTracing, recordSpan, spanClock } from '@/lib/trace/record-span';
import { type EntryCheck, verifyEntry } from '../entry/verify-entry';
import { guardNewServer } from '../recovery/guard-new-server';
import { healEpoch } from '../recovery/heal-epoch';
import { isReplayDue, replayAccepted } from '../recovery/replay-accepted';
import { findReservation } from '../reservation/find-reservation';
import { countedAddress, limitFromMemory, type Requester } from '../risk/limit-request';
import { limitByRisk, subjectsOf } from '../risk/risk-of';
import { keepAccepted, keepRepeated } from './keep-accepted';
import { parseQuantity } from './parse-quantity';
import { purchaseByStrategy } from './purchase-by-strategy';
import { type Refused, rememberRefusal } from './remember-refusal';
import { routeOf } from './stock-route';

export type PurchaseRequest = {
  saleId: string;
  /** From the address; only the state endpoint gives it away, after the start. */
  gate: string;
  /** Header `X-Entry-Token`. */
  entryToken: string | null;
  /** The raw body; empty = one unit. */
  body: string;
  /** Where from, null if nothing tells. */
  address?: () => string | null;
};

onNewServer(guardNewServer);

const NONE_LEFT: PurchaseResult = { status: 'sold_out', available: 0 };
/** Orders are written at thousands a second once whatever is down is back: asking every second would not help. */
const BACKLOGGED: ProblemOptions = { retryAfterMs: 5_000 };
const ACCEPTED_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/**
 * The purchase: one token check, one script. Says at once whether the shopper is in; the order is written afterwards.
 * A plain function from a request record to a reply record, so that any adapter can serve it. Refusals that need nothing
 * but this process's memory come without a promise: most of what a flash sale says is one of them.
 */
export function purchase(request: PurchaseRequest): Reply | Promise<Reply> {
  const { saleId, entryToken, address } = request;
  const entry = verifyEntry(entryToken ?? '', saleId);
  // Who is banned is told so, and not that their session has ended with it.
  if (entry.status === 'valid' || entry.status === 'session_ended') {
    const { userId, device } = entry.claims;
    const block = findBlock({ userId, device, address });
    if (block)
      return refuse(
        { saleId, userId },
        'BLOCKED',
        { extra: { until: block.expiresAt } },
        { risk: 'blocked' },
      );
  }
  const known = peekSaleInfo(saleId);
  if (known !== undefined) return decide(known, request, entry);
  const userId = entry.status === 'valid' ? entry.claims.userId : null;
  return unlessOut(
    { saleId, userId },
    findSaleInfo(saleId).then((info) => decide(info, request, entry)),
  );
}

function decide(info: SaleInfo | null, { saleId, gate, body, address }: PurchaseRequest, entry: EntryCheck) {
  if (!info) return problemReply('SALE_NOT_FOUND');
  if (entry.status !== 'valid')
    return refuse({ saleId, userId: null }, 'ENTRY_INVALID', { extra: { reason: entry.status } });
  const { userId, jti, device } = entry.claims;
  const who = { saleId, userId };
  const parsed = parseQuantity(body);
  if (parsed.status === 'malformed') return refuse(who, 'MALFORMED', { detail: 'The body is not JSON.' });
  if (parsed.status === 'invalid') return refuse(who, 'INVALID_QUANTITY');

  const { epoch, endsAt } = info;
  const asked = { saleId, epoch, gate, userId, jti, quantity: parsed.quantity, endsAt };
  const requester = { userId, address: address?.() ?? null, device };
  noteRisk('purchase_requests', subjectsOf(requester), saleId);
  const risky = limitByRisk(requester);
  if (risky)
    return unlessOut(
      who,
      answerFirst(info, asked, requester, () => refuseLimited(saleId, risky, requester, 'limited')),
    );
  if (!isByOther(info) && isSurelySoldOut(asked)) {
    const limited = limitFromMemory(info, 'purchase', requester);
    return limited ? refuseLimited(saleId, limited, requester) : answer(info, NONE_LEFT, asked, requester);
  }
  return unlessOut(who, sell(info, asked, requester));
}

const isByOther = ({ strategy, onStockOutage }: SaleInfo) =>
  strategy === 'database' || strategy === 'lock' || onStockOutage === 'database';

type Asked = Omit<Purchase, 'orderNo'> & { endsAt: number };

function sell(info: SaleInfo, asked: Asked, requester: Requester): Promise<Reply> {
  return isTracing() ? sellTraced(info, asked, requester) : sellOnce(info, asked, requester);
}

async function sellTraced(info: SaleInfo, asked: Asked, requester: Requester): Promise<Reply> {
  const beganAt = spanClock();
  const reply = await sellOnce(info, asked, requester);
  const { saleId, jti } = asked;
  recordSpan('purchase', jti, beganAt, { saleId, 'http.response.status_code': String(reply.status) });
  return reply;
}

async function sellOnce(info: SaleInfo, asked: Asked, requester: Requester): Promise<Reply> {
  const { saleId, quantity } = asked;
  if (info.strategy !== 'database' && isBacklogged(saleId) && (await isSoldByRedis(info))) {
    // Nothing more is accepted until orders are written again.
    return answerFirst(info, asked, requester, () => refuse(asked, 'STOCK_UNAVAILABLE', BACKLOGGED));
  }
  if (isByOther(info))
    return answer(info, await purchaseByStrategy(info, asked, requester), asked, requester);
  const askedAt = performance.now();
  const issued = issueOrderNo(asked.userId);
  const orderNo = typeof issued === 'string' ? issued : await issued;
  const { epoch, gate, userId, jti } = asked;
  // Spelt out: copies by `...` are slow, and this is the path on which it shows.
  const wanted = {
    saleId,
    epoch,
    gate,
    userId,
    jti,
    quantity,
    orderNo,
    address: countedAddress(info, requester),
  };
  const ask = () =>
    // Whoever was answered 202 before Redis lost it goes first.
    isReplayDue(saleId, wanted.epoch)
      ? replayAccepted(saleId, wanted.epoch).then(() => purchaseStock(wanted))
      : purchaseStock(wanted);

  let result = await ask();
  if (result.status === 'unknown_sale' || result.status === 'stale_epoch') {
    const current = await healEpoch(info);
    if (current !== null) {
      wanted.epoch = current;
      result = await ask();
    }
  }
  // Made while Redis was down, and Redis learns of it in this moment.
  if (result.status === 'not_reserved' && (await findReservation(info, asked.userId)) !== null)
    result = await ask();
  if (result.status === 'sold_out') learnSoldOut(asked, result.available, askedAt);
  else if (result.status === 'accepted') {
    keepAccepted(wanted, result.acceptedAt);
    clearSoldOut(saleId);
    countPurchase(saleId, quantity, result.acceptedAt);
  } else if (result.status === 'replayed' && result.quantity === quantity) {
    keepRepeated({ ...wanted, orderNo: result.orderNo });
  }
  return answer(info, result, asked, requester);
}

const isSoldByRedis = async ({ saleId, onStockOutage }: SaleInfo) =>
  onStockOutage !== 'database' || (await routeOf(saleId))?.mode === 'redis';

/** Whoever was accepted with this token gets that answer again, anybody else `otherwise`. */
async function answerFirst(
  info: SaleInfo,
  asked: Asked,
  requester: Requester,
  otherwise: () => Reply,
): Promise<Reply> {
  const first = (await readBuyer(info.saleId, asked.userId)).find(({ jti }) => jti === asked.jti);
  if (!first) return otherwise();
  const { orderNo, units } = first;
  if (units === asked.quantity) keepRepeated({ ...asked, orderNo });
  return answer(info, { status: 'replayed', orderNo, quantity: units }, asked, requester);
}

/** 503 instead of an error when Redis or Postgres can't be reached. */
function unlessOut(who: Refused, reply: Promise<Reply>): Promise<Reply> {
  return reply.catch((error: unknown) => {
    if (!isOutage(error)) throw error;
    log.warn({ saleId: who.saleId, err: error }, 'stock unreachable');
    rememberRefusal(who, 'purchase', 'STOCK_UNAVAILABLE');
    // The outcome is open: the same token asks again and gets the answer that was given, if one was.
    return problemReply('STOCK_UNAVAILABLE');
  });
}

function answer(info: SaleInfo, result: PurchaseResult, { quantity }: Asked, requester: Requester): Reply {
  const { saleId } = info;
  const who = { saleId, userId: requester.userId };
  if (result.status === 'accepted') noteOrigin(result.orderNo, subjectsOf(requester));
  else if (result.status !== 'replayed' && result.status !== 'rate_limited')
    noteRisk('purchase_refusals', subjectsOf(requester), saleId);
  switch (result.status) {
    case 'accepted':
    case 'replayed': {
      // One token, one purchase: whoever asks for something else with it must not take the first answer for this one.
      if (result.status === 'replayed' && result.quantity !== quantity) {
        const { orderNo, quantity: units } = result;
        return refuse(who, 'IDEMPOTENCY_MISMATCH', { extra: { orderNo, quantity: units } });
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
      return refuse(
        who,
        'SOLD_OUT',
        { extra: { available: result.available } },
        { outcome: 'soldOut', available: result.available },
      );
    case 'already_bought':
      return refuse(who, 'LIMIT_REACHED', {
        extra: { orderNo: result.orderNo, limitPerUser: info.limitPerUser },
      });
    case 'over_limit':
      return refuse(who, 'LIMIT_REACHED', { extra: { limitPerUser: info.limitPerUser } });
    case 'not_started':
      return refuse(who, 'NOT_STARTED');
    case 'ended':
      return refuse(who, 'ENDED');
    case 'paused':
      return refuse(who, 'PAUSED');
    case 'gate_invalid':
      return refuse(who, 'GATE_INVALID');
    case 'not_reserved':
      return refuse(who, 'NOT_RESERVED');
    case 'rate_limited':
      return refuseLimited(saleId, result, requester);
    case 'unknown_sale':
    case 'stale_epoch':
    case 'busy':
      return refuse(who, 'STOCK_UNAVAILABLE');
  }
}

function refuseLimited(
  saleId: string,
  limited: RateLimited,
  requester: Requester,
  risk: RiskClass = 'none',
): Reply {
  noteRisk('limited_requests', subjectsOf(requester), saleId);
  const { userId } = requester;
  return refuse({ saleId, userId }, 'RATE_LIMITED', describeLimit(limited), { outcome: 'rateLimited', risk });
}

function refuse(
  who: Refused,
  code: ErrorCode,
  options?: ProblemOptions,
  { outcome = 'rejected', ...facts }: { outcome?: AttemptOutcome; risk?: RiskClass; available?: number } = {},
): Reply {
  countAttempt(who.saleId, outcome, code);
  rememberRefusal(who, 'purchase', code, facts);
  return problemReply(code, options);
}
