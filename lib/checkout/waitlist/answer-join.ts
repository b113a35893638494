import 'server-only';
import { findBlock } from '@/lib/block/find-block';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import { isOutage } from '@/lib/errors/is-outage';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { keepOrigin } from '@/lib/waitlist/origins';
import { JSON_HEADERS } from '../entry/answer-entry';
import { verifyEntry } from '../entry/verify-entry';
import { limitRequest } from '../risk/limit-request';
import { limitByRisk } from '../risk/risk-of';
import { findPlace } from './find-place';
import { joinWaitlist } from './join-waitlist';

type JoinRequest = { saleId: string; entryToken: string | null; address: string | null };

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

async function join({ saleId, entryToken, address }: JoinRequest): Promise<Reply> {
  const info = await findSaleInfo(saleId);
  if (!info) return problemReply('SALE_NOT_FOUND');
  const entry = verifyEntry(entryToken ?? '', saleId);
  if (entry.status === 'valid' || entry.status === 'session_ended') {
    const { userId, device } = entry.claims;
    const block = findBlock({ userId, device, address: () => address });
    if (block) return problemReply('BLOCKED', { extra: { until: block.expiresAt } });
  }
  if (entry.status !== 'valid') return problemReply('ENTRY_INVALID', { extra: { reason: entry.status } });
  const { userId, jti, device } = entry.claims;
  if (!info.waitlist) return problemReply('NO_WAITLIST');
  const requester = { userId, address, device };
  const limited = limitByRisk(requester) ?? (await limitRequest(info, 'waitlist', requester));
  if (limited) return problemReply('RATE_LIMITED', describeLimit(limited));

  const result = await joinWaitlist(info, { userId, jti });
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
      return problemReply('LIMIT_REACHED', { extra: { limitPerUser: info.limitPerUser } });
    }
    case 'available':
      return problemReply('UNITS_FOR_SALE', { extra: { available: result.units } });
    case 'no_waitlist':
      return problemReply('NO_WAITLIST');
    case 'closed':
      return problemReply('WAITLIST_CLOSED');
    case 'full':
      return problemReply('WAITLIST_FULL');
    case 'ended':
      return problemReply('ENDED');
    case 'not_started':
      return problemReply('NOT_STARTED');
    case 'unavailable':
      return problemReply('STOCK_UNAVAILABLE');
  }
}

const told = (place: WaitlistPlace, status: number): Reply => ({
  status,
  headers: JSON_HEADERS,
  body: JSON.stringify(place),
});
