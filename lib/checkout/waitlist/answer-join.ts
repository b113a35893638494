import 'server-only';
import { findBlock } from '@/lib/block/find-block';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import { isOutage } from '@/lib/errors/is-outage';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import type { RequestHead } from '@/lib/http/request-head';
import { newId } from '@/lib/ids/new-id';
import { describeLimit } from '@/lib/limit/describe-limit';
import { findEntry } from '@/lib/line/find-entry';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { claimAllowance } from '../campaign/claim-allowance';
import { admitShopper, type Shopper } from '../entry/admit-shopper';
import { JSON_HEADERS } from '../entry/answer-entry';
import { verifyEntry } from '../entry/verify-entry';
import { limitRequest } from '../risk/limit-request';
import { limitByRisk } from '../risk/risk-of';
import { findPlace } from './find-place';
import { joinWaitlist } from './join-waitlist';

type JoinRequest = RequestHead & { saleId: string; address: string | null };
type Joiner = { userId: string; jti: string; device: string };

/**
 * Answers a shopper who wants the next unit that comes back, as a reply record. The entry token settles who that is, and that
 * they may take part; it becomes the token of the purchase. Whoever stands in the sale's waiting room needs none: the place
 * there says the same, and stays.
 */
export async function answerJoin(request: JoinRequest): Promise<Reply> {
  try {
    return await join(request);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return problemReply('STOCK_UNAVAILABLE');
  }
}

async function join(request: JoinRequest): Promise<Reply> {
  const { saleId, address, headers } = request;
  const token = headers.get('x-entry-token');
  const auth = token === null ? await admitShopper(request, address, saleId) : null;
  if (auth && !auth.ok) return auth.reply;
  const info = await findSaleInfo(saleId);
  if (!info) return problemReply('SALE_NOT_FOUND');
  const who = auth ? await fromLine(auth.user, info) : fromToken(token ?? '', saleId, address);
  if (!who.ok) return who.reply;
  const { userId, jti, device } = who.joiner;
  if (!info.waitlist) return problemReply('NO_WAITLIST');
  const requester = { userId, address, device };
  const limited = limitByRisk(requester) ?? (await limitRequest(info, 'waitlist', requester));
  if (limited) return problemReply('RATE_LIMITED', describeLimit(limited));

  const result = await joinWaitlist(info, { userId, jti });
  switch (result.status) {
    case 'joined':
    case 'waiting': {
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

type Who = { ok: true; joiner: Joiner } | { ok: false; reply: Reply };
const refuse = (...given: Parameters<typeof problemReply>): Who => ({
  ok: false,
  reply: problemReply(...given),
});

function fromToken(token: string, saleId: string, address: string | null): Who {
  const entry = verifyEntry(token, saleId);
  if (entry.status === 'valid' || entry.status === 'session_ended') {
    const { userId, device } = entry.claims;
    const block = findBlock({ userId, device, address: () => address });
    if (block) return refuse('BLOCKED', { extra: { until: block.expiresAt } });
  }
  if (entry.status !== 'valid') return refuse('ENTRY_INVALID', { extra: { reason: entry.status } });
  return { ok: true, joiner: entry.claims };
}

/** Takes whoever stands in the waiting room. What an entry checks was checked when they joined, but for the campaign's limit. */
async function fromLine({ userId, device }: Shopper, info: SaleInfo): Promise<Who> {
  if (!info.waitlist) return refuse('NO_WAITLIST');
  if (info.admission !== 'waiting_room') return refuse('ENTRY_INVALID', { extra: { reason: 'invalid' } });
  if (!(await findEntry(info.saleId, userId))) return refuse('NOT_IN_LINE');
  const claim = await claimAllowance(info, userId);
  if (claim.status === 'none') return refuse('LIMIT_REACHED', { extra: { campaignLimit: claim.limit } });
  if (claim.status === 'busy') return refuse('STOCK_UNAVAILABLE');
  return { ok: true, joiner: { userId, device, jti: newId('jti') } };
}

const told = (place: WaitlistPlace, status: number): Reply => ({
  status,
  headers: JSON_HEADERS,
  body: JSON.stringify(place),
});
