import 'server-only';
import { describeWait } from '@/lib/access/describe-wait';
import type { CreateTask } from '@/lib/challenge/types';
import { askForChallenge } from '@/lib/contract/operations';
import { problemReply } from '@/lib/http/problem';
import { parseJson } from '@/lib/http/read-json';
import { JSON_HEADERS, type Reply } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import { admitShopper, type EntryRequest } from './admit-shopper';
import { type OfferResult, offerChallenge } from './offer-challenge';

/** Answers a shopper who asks for something to solve, as a reply record. @throws connection errors */
export async function answerChallengeRequest(
  { saleId, body, address, ...request }: EntryRequest,
  create: CreateTask,
): Promise<Reply> {
  const auth = await admitShopper(request, address);
  if (!auth.ok) return auth.reply;
  const wish = parseJson(body, request.headers.get('content-type'), askForChallenge.body, {
    allowEmpty: true,
  });
  if (!wish.ok) return wish.reply;
  const offer = await offerChallenge(saleId, { ...auth.user, address }, create, wish.data.kind);
  const reply = toReply(offer);
  return offer.status === 'offered' ? { ...reply, headers: { ...reply.headers, ...auth.headers } } : reply;
}

function toReply(offer: OfferResult): Reply {
  switch (offer.status) {
    case 'offered':
      return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(offer.challenge) };
    case 'sale_not_found':
      return problemReply('SALE_NOT_FOUND');
    case 'not_needed':
      return problemReply('CHALLENGE_NOT_NEEDED');
    case 'not_offered':
      return problemReply('CHALLENGE_NOT_OFFERED', { extra: { kinds: offer.kinds } });
    case 'ended':
      return problemReply('SALE_ENDED');
    case 'not_open':
      return problemReply('ENTRY_NOT_OPEN', { extra: { entryOpensAt: offer.entryOpensAt } });
    case 'rate_limited':
      return problemReply('RATE_LIMITED', describeLimit(offer.limited));
    case 'too_many':
      return problemReply('RATE_LIMITED', describeWait('challenge', offer.retryAfterMs));
    case 'busy':
      return problemReply('UNAVAILABLE');
  }
}
