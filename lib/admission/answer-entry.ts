import 'server-only';
import { enter } from '@/lib/contract/operations';
import { admitShopper, type EntryRequest } from '@/lib/entry/admit-shopper';
import { upToDate } from '@/lib/entry/up-to-date';
import { problemReply } from '@/lib/http/problem';
import { parseJson } from '@/lib/http/read-json';
import { JSON_HEADERS, type Reply } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import { type EntryResult, issueEntry } from './issue-entry';

/** Answers a shopper who asks for an entry token, as a reply record. @throws connection errors */
export async function answerEntry({ saleId, body, address, ...request }: EntryRequest): Promise<Reply> {
  const auth = await admitShopper(request, address, saleId);
  if (!auth.ok) return auth.reply;
  const input = parseJson(body, request.headers.get('content-type'), enter.body, { allowEmpty: true });
  if (!input.ok) return input.reply;
  const user = await upToDate(saleId, auth.user, request.headers);
  const reply = toReply(await issueEntry(saleId, user, { address, answer: input.data.challenge }));
  // A refusal sets the cookie too: the shop then recognises a shopper who comes back with a solved challenge.
  // Replies of one kind share their headers object where there is nothing to add: see `createSender`.
  return 'set-cookie' in auth.headers ? { ...reply, headers: { ...reply.headers, ...auth.headers } } : reply;
}

function toReply(result: EntryResult): Reply {
  switch (result.status) {
    case 'entered': {
      const { entryToken, expiresAt } = result;
      return { status: 200, headers: JSON_HEADERS, body: JSON.stringify({ entryToken, expiresAt }) };
    }
    case 'sale_not_found':
      return problemReply('SALE_NOT_FOUND');
    case 'ended':
      return problemReply('SALE_ENDED');
    case 'not_open':
      return problemReply('ENTRY_NOT_OPEN', { extra: { entryOpensAt: result.entryOpensAt } });
    case 'rate_limited':
      return problemReply('RATE_LIMITED', describeLimit(result.limited));
    case 'campaign_limit':
      return problemReply('LIMIT_REACHED', { extra: { campaignLimit: result.limit } });
    case 'busy':
      return problemReply('STOCK_UNAVAILABLE');
    case 'level_too_low':
      return problemReply('LEVEL_TOO_LOW', { extra: { minLevel: result.minLevel } });
    case 'not_reserved':
      return problemReply('NOT_RESERVED');
    case 'draw_only':
      return problemReply('DRAW_ONLY');
    case 'account_too_new':
      return problemReply('ACCOUNT_TOO_NEW', { extra: { oldEnoughAt: result.oldEnoughAt } });
    case 'email_unverified':
      return problemReply('EMAIL_UNVERIFIED');
    case 'not_in_line':
      return problemReply('NOT_IN_LINE');
    case 'turn_over':
      return problemReply('TURN_OVER');
    case 'not_admitted':
      return problemReply('NOT_ADMITTED', { extra: { place: result.place, ahead: result.ahead } });
    case 'challenge_required':
      return problemReply('CHALLENGE_REQUIRED', { extra: { kind: result.kind } });
    case 'challenge_failed':
      return problemReply('CHALLENGE_FAILED', { extra: { kind: result.kind } });
  }
}
