import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import { admitShopper } from '@/lib/checkout/entry/admit-shopper';
import { type EntryResult, issueEntry } from '@/lib/checkout/entry/issue-entry';
import * as contract from '@/lib/contract/operations';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { describeLimit } from '@/lib/limit/describe-limit';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.enter, async (request, { saleId }) => {
    const address = requestAddress(request.headers);
    const auth = await admitShopper(request, address, saleId);
    if (!auth.ok) return auth.response;
    const body = await readJson(request, contract.enter.body, { allowEmpty: true });
    if (!body.ok) return body.response;

    const answer = toResponse(await issueEntry(saleId, auth.user, { address, answer: body.data.challenge }));
    // Sets the headers on a refusal too: the shop then recognises a shopper who comes back with a solved challenge.
    for (const [name, value] of Object.entries(auth.headers)) answer.headers.append(name, value);
    return answer;
  }),
);

function toResponse(result: EntryResult): Response {
  switch (result.status) {
    case 'entered':
      return json({ entryToken: result.entryToken, expiresAt: result.expiresAt });
    case 'sale_not_found':
      return problem('SALE_NOT_FOUND');
    case 'ended':
      return problem('SALE_ENDED');
    case 'not_open':
      return problem('ENTRY_NOT_OPEN', { extra: { entryOpensAt: result.entryOpensAt } });
    case 'rate_limited':
      return problem('RATE_LIMITED', describeLimit(result.limited));
    case 'level_too_low':
      return problem('LEVEL_TOO_LOW', { extra: { minLevel: result.minLevel } });
    case 'not_reserved':
      return problem('NOT_RESERVED');
    case 'account_too_new':
      return problem('ACCOUNT_TOO_NEW', { extra: { oldEnoughAt: result.oldEnoughAt } });
    case 'email_unverified':
      return problem('EMAIL_UNVERIFIED');
    case 'challenge_required':
      return problem('CHALLENGE_REQUIRED', { extra: { kind: result.kind } });
    case 'challenge_failed':
      return problem('CHALLENGE_FAILED', { extra: { kind: result.kind } });
  }
}
