import 'server-only';
import { findBlock } from '@/lib/block/find-block';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { RiskClass } from '@/lib/contract/words/attempt';
import type { AttemptOutcome } from '@/lib/contract/words/live';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { hasVariant } from '@/lib/contract/words/variant';
import { type EntryCheck, verifyEntry } from '@/lib/entry/verify-entry';
import type { ErrorCode } from '@/lib/errors/codes';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { type ProblemOptions, problemReply } from '@/lib/http/problem';
import { JSON_HEADERS, type Reply } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import type { Requester } from '@/lib/limit/limit-request';
import { guardNewServer } from '@/lib/loading/guard-new-server';
import { countAttempt } from '@/lib/metrics/attempts';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { refusalOf } from '@/lib/refusal/refusal-of';
import { type Refused, rememberRefusal } from '@/lib/refusal/remember-refusal';
import { noteOrigin, noteRisk } from '@/lib/risk/noted';
import { limitByRisk, subjectsOf } from '@/lib/risk/risk-of';
import { findSaleInfo, peekSaleInfo } from '@/lib/sale/records/find-sale-info';
import { isSameWish, wishOf } from '@/lib/stock/bought';
import { onNewServer } from '@/lib/stock/new-server';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { isTracing, recordSpan, spanClock } from '@/lib/trace/record-span';
import type { PurchaseQuestion } from './decider';
import { findFirstAnswer } from './find-first-answer';
import { parseWish } from './parse-wish';
import { sell } from './sell';
import { tokenInBody } from './token-in-body';

export type PurchaseRequest = {
  saleId: string;
  /** The gate from the address. Only the state endpoint gives it away, after the start. */
  gate: string;
  /** Header `X-Entry-Token`; without it the body may hold the token. */
  entryToken: string | null;
  /** The raw body; empty = one unit. */
  body: string;
  /** The client's address; null if unknown. */
  address?: () => string | null;
};

onNewServer(guardNewServer);

/**
 * Answers a purchase: one token check, one script. Says at once whether the shopper is in; the order is written
 * afterwards. It is a plain function from a request record to a reply record, so that any adapter can serve it.
 * Refusals from this process's memory come without a promise: they are most of a flash sale's answers.
 */
export function purchase(request: PurchaseRequest): Reply | Promise<Reply> {
  const { saleId, entryToken, body, address } = request;
  const entry = verifyEntry(entryToken ?? tokenInBody(body), saleId);
  // A banned shopper is told of the ban, and not that the session has ended with it.
  if (entry.status !== 'invalid') {
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
  if (known !== undefined) return checkAndSell(known, request, entry);
  const userId = entry.status === 'valid' ? entry.claims.userId : null;
  return unlessOut(
    { saleId, userId },
    findSaleInfo(saleId).then((info) => checkAndSell(info, request, entry)),
  );
}

function checkAndSell(
  info: SaleInfo | null,
  { saleId, gate, body, address }: PurchaseRequest,
  entry: EntryCheck,
) {
  if (!info) return problemReply('SALE_NOT_FOUND');
  // Before the token: no token opens a way past the draw.
  if (ADMISSIONS[info.admission].isDrawn)
    return refuse({ saleId, userId: entry.status === 'valid' ? entry.claims.userId : null }, 'DRAW_ONLY');
  if (entry.status === 'invalid' || entry.status === 'session_ended')
    return refuse({ saleId, userId: null }, 'ENTRY_INVALID', { extra: { reason: entry.status } });
  const { userId, jti, device } = entry.claims;
  const who = { saleId, userId };
  const parsed = parseWish(body);
  if (parsed.status === 'malformed') return refuse(who, 'MALFORMED', { detail: 'The body is not JSON.' });
  if (parsed.status === 'invalid_quantity') return refuse(who, 'INVALID_QUANTITY');
  if (parsed.status === 'unknown_variant' || !hasVariant(info.variants, parsed.wish.variant))
    return refuse(who, 'VARIANT_UNKNOWN');

  const { epoch, endsAt } = info;
  const asked: PurchaseQuestion = { saleId, epoch, gate, userId, jti, endsAt, ...parsed.wish };
  const requester = { userId, address: address?.() ?? null, device };
  noteRisk('purchase_requests', subjectsOf(requester), saleId);
  const risky = limitByRisk(requester);
  const refused = risky
    ? () => refuseLimited(saleId, risky, requester, 'limited')
    : entry.status === 'expired' && (() => refuse(who, 'ENTRY_INVALID', { extra: { reason: 'expired' } }));
  if (refused)
    return unlessOut(
      who,
      // If Redis has accepted a purchase with this token, the shopper gets that answer again.
      findFirstAnswer(asked).then((first) => (first ? answer(info, first, asked, requester) : refused())),
    );
  const sold = sell(info, asked, requester);
  if (!(sold instanceof Promise)) return answer(info, sold, asked, requester);
  // The span begins here: what ran before took microseconds.
  const beganAt = isTracing() ? spanClock() : null;
  return sold.then(
    (result) => {
      const reply = answer(info, result, asked, requester);
      if (beganAt !== null)
        recordSpan('purchase', jti, beganAt, { saleId, 'http.response.status_code': String(reply.status) });
      return reply;
    },
    (error: unknown) => refuseOutage(who, error),
  );
}

/** Answers 503 instead of an error when Redis or Postgres can't be reached. */
const unlessOut = (who: Refused, reply: Promise<Reply>): Promise<Reply> =>
  reply.catch((error: unknown) => refuseOutage(who, error));

function refuseOutage(who: Refused, error: unknown): Reply {
  if (!isOutage(error)) throw error;
  log.warn({ saleId: who.saleId, err: error }, 'stock unreachable');
  rememberRefusal(who, 'purchase', 'STOCK_UNAVAILABLE');
  // The outcome is open. A retry with the same token gets the answer that was given, if one was.
  return problemReply('STOCK_UNAVAILABLE');
}

function answer(
  info: SaleInfo,
  result: PurchaseResult,
  asked: PurchaseQuestion,
  requester: Requester,
): Reply {
  const { saleId } = info;
  const who = { saleId, userId: requester.userId };
  switch (result.status) {
    case 'accepted':
      noteOrigin(result.orderNo, subjectsOf(requester));
      countAttempt(saleId, 'accepted');
      return taken(result.orderNo, 'queued', false);
    case 'replayed':
    case 'undecided': {
      const { status, orderNo } = result;
      // One token, one purchase. A request for something else must not take the first answer for its own.
      if (!isSameWish(result, asked))
        return refuse(who, 'IDEMPOTENCY_MISMATCH', { extra: { orderNo, ...wishOf(result) } });
      if (status === 'undecided' && !result.isRepeated) {
        // A worker decides it, and counts the attempt.
        noteOrigin(orderNo, subjectsOf(requester));
        return taken(orderNo, 'undecided', false);
      }
      countAttempt(saleId, 'replayed');
      return taken(orderNo, status === 'undecided' ? 'undecided' : 'queued', true);
    }
    case 'rate_limited':
      return refuseLimited(saleId, result, requester);
    default: {
      const { code, options, ...facts } = refusalOf(result, info, asked.quantity);
      if (result.status !== 'backlogged') noteRisk('purchase_refusals', subjectsOf(requester), saleId);
      return refuse(who, code, options, facts);
    }
  }
}

const taken = (orderNo: string, status: 'queued' | 'undecided', replay: boolean): Reply => ({
  status: 202,
  headers: JSON_HEADERS,
  body: `{"orderNo":"${orderNo}","status":"${status}","replay":${replay}}`,
});

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
