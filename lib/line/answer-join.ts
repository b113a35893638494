import 'server-only';
import { joinLine } from '@/lib/contract/operations';
import { admitShopper, type EntryRequest } from '@/lib/entry/admit-shopper';
import { upToDate } from '@/lib/entry/up-to-date';
import { problemReply } from '@/lib/http/problem';
import { parseJson } from '@/lib/http/read-json';
import { JSON_HEADERS, type Reply } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import { type JoinSaleResult, joinSaleLine } from './join-sale-line';

/** Answers a shopper who asks for a place in a line, as a reply record. @throws connection errors */
export async function answerJoin({ saleId, body, address, ...request }: EntryRequest): Promise<Reply> {
  const auth = await admitShopper(request, address, saleId);
  if (!auth.ok) return auth.reply;
  const input = parseJson(body, request.headers.get('content-type'), joinLine.body, { allowEmpty: true });
  if (!input.ok) return input.reply;
  const { nonce, challenge, variant } = input.data;
  const user = await upToDate(saleId, auth.user, request.headers);
  const result = await joinSaleLine(saleId, user, {
    address,
    nonce: nonce === undefined ? undefined : Buffer.from(nonce, 'base64url'),
    answer: challenge,
    variant,
  });
  const reply = toReply(result);
  // A refusal sets the cookie too: with it the next try is that of a known device.
  return 'set-cookie' in auth.headers ? { ...reply, headers: { ...reply.headers, ...auth.headers } } : reply;
}

function toReply(result: JoinSaleResult): Reply {
  switch (result.status) {
    case 'joined':
      return { status: 201, headers: JSON_HEADERS, body: JSON.stringify(result.place) };
    case 'already_joined':
      return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(result.place) };
    case 'sale_not_found':
      return problemReply('SALE_NOT_FOUND');
    case 'no_line':
      return problemReply('NO_LINE');
    case 'variant_unknown':
      return problemReply('VARIANT_UNKNOWN');
    case 'ended':
      return problemReply('SALE_ENDED');
    case 'not_open':
      return problemReply('ENTRY_NOT_OPEN', { extra: { entryOpensAt: result.entryOpensAt } });
    case 'closed':
      return problemReply('LINE_CLOSED');
    case 'too_often':
      return problemReply('JOINED_TOO_OFTEN');
    case 'taken':
      return problemReply('PLACE_TAKEN', { extra: { by: result.by } });
    case 'device_required':
      return problemReply('DEVICE_REQUIRED');
    case 'rate_limited':
      return problemReply('RATE_LIMITED', describeLimit(result.limited));
    case 'level_too_low':
      return problemReply('LEVEL_TOO_LOW', { extra: { minLevel: result.minLevel } });
    case 'not_reserved':
      return problemReply('NOT_RESERVED');
    case 'account_too_new':
      return problemReply('ACCOUNT_TOO_NEW', { extra: { oldEnoughAt: result.oldEnoughAt } });
    case 'email_unverified':
      return problemReply('EMAIL_UNVERIFIED');
    case 'challenge_required':
      return problemReply('CHALLENGE_REQUIRED', { extra: { kind: result.kind } });
    case 'challenge_failed':
      return problemReply('CHALLENGE_FAILED', { extra: { kind: result.kind } });
  }
}
