import 'server-only';
import { findBlock } from '@/lib/block/find-block';
import * as contract from '@/lib/contract/operations';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import { hasVariant } from '@/lib/contract/words/variant';
import { verifyEntry } from '@/lib/entry/verify-entry';
import type { ErrorCode } from '@/lib/errors/codes';
import { isOutage } from '@/lib/errors/is-outage';
import { type ProblemOptions, problemReply } from '@/lib/http/problem';
import { parseJson } from '@/lib/http/read-json';
import { JSON_HEADERS, type Reply } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import { limitRequest } from '@/lib/limit/limit-request';
import { TOO_OFTEN } from '@/lib/refusal/refusal-of';
import { rememberRefusal } from '@/lib/refusal/remember-refusal';
import { limitByRisk } from '@/lib/risk/risk-of';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { keepOrigin } from '@/lib/waitlist/records/origins';
import { findPlace } from './find-place';
import { joinWaitlist } from './join-waitlist';

type JoinRequest = {
  saleId: string;
  entryToken: string | null;
  /** The raw body; empty = no variant. */
  body: string;
  contentType: string | null;
  address: string | null;
};

/**
 * Answers a shopper who wants the next unit that comes back, as a reply record. The entry token settles who that is, and that
 * they may take part; it becomes the token of the purchase.
 */
export async function answerJoin(request: JoinRequest): Promise<Reply> {
  try {
    return await join(request);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return problemReply('STOCK_UNAVAILABLE');
  }
}

async function join({ saleId, entryToken, address, ...request }: JoinRequest): Promise<Reply> {
  const info = await findSaleInfo(saleId);
  if (!info) return problemReply('SALE_NOT_FOUND');
  const entry = verifyEntry(entryToken ?? '', saleId);
  if (entry.status === 'valid' || entry.status === 'session_ended') {
    const { userId, device } = entry.claims;
    const block = findBlock({ userId, device, address: () => address });
    if (block)
      return refuse(
        { saleId, userId },
        'BLOCKED',
        { extra: { until: block.expiresAt } },
        { risk: 'blocked' },
      );
  }
  if (entry.status !== 'valid') return problemReply('ENTRY_INVALID', { extra: { reason: entry.status } });
  const { userId, jti, device } = entry.claims;
  const who = { saleId, userId };
  if (!info.waitlist) return refuse(who, 'NO_WAITLIST');
  const wish = parseJson(request.body, request.contentType, contract.joinWaitlist.body, { allowEmpty: true });
  if (!wish.ok) return wish.reply;
  const { variant } = wish.data;
  if (!hasVariant(info.variants, variant)) return refuse(who, 'VARIANT_UNKNOWN');
  const requester = { userId, address, device };
  const byRisk = limitByRisk(requester);
  const limited = byRisk ?? (await limitRequest(info, 'waitlist', requester));
  if (limited)
    return refuse(who, 'RATE_LIMITED', describeLimit(limited), { risk: byRisk ? 'limited' : 'none' });

  const result = await joinWaitlist(info, { userId, jti, variant });
  switch (result.status) {
    case 'joined':
    case 'waiting': {
      await keepOrigin(info, userId, requester);
      const place = await findPlace(info, userId);
      return place ? told(place, result.status === 'joined' ? 201 : 200) : problemReply('STOCK_UNAVAILABLE');
    }
    case 'token_used':
    case 'already_bought': {
      // The unit may have come since the shopper joined, from another page or by a call whose answer got lost.
      const place = await findPlace(info, userId);
      if (place?.state === 'given') return told(place, 200);
      return refuse(who, 'LIMIT_REACHED', { extra: { limitPerUser: info.limitPerUser } });
    }
    case 'too_often':
      return refuse(who, 'LIMIT_REACHED', TOO_OFTEN);
    case 'available':
      return refuse(
        who,
        'UNITS_FOR_SALE',
        { extra: { available: result.units } },
        { available: result.units },
      );
    case 'no_waitlist':
      return refuse(who, 'NO_WAITLIST');
    case 'closed':
      return refuse(who, 'WAITLIST_CLOSED');
    case 'full':
      return refuse(who, 'WAITLIST_FULL');
    case 'ended':
      return refuse(who, 'ENDED');
    case 'not_started':
      return refuse(who, 'NOT_STARTED');
    case 'unavailable':
      return refuse(who, 'STOCK_UNAVAILABLE');
  }
}

/** Refuses, and remembers why, so that the shopper can be told later. */
function refuse(
  who: { saleId: string; userId: string },
  code: ErrorCode,
  options?: ProblemOptions,
  facts?: Parameters<typeof rememberRefusal>[3],
): Reply {
  rememberRefusal(who, 'waitlist', code, facts);
  return problemReply(code, options);
}

const told = (place: WaitlistPlace, status: number): Reply => ({
  status,
  headers: JSON_HEADERS,
  body: JSON.stringify(place),
});
