import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import { admitShopper } from '@/lib/checkout/entry/admit-shopper';
import { offerChallenge } from '@/lib/checkout/entry/offer-challenge';
import * as contract from '@/lib/contract/operations';
import { challengeWish } from '@/lib/contract/shapes/challenge';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { describeLimit } from '@/lib/limit/describe-limit';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.askForChallenge, async (request, { saleId }) => {
    const address = requestAddress(request.headers);
    const auth = await admitShopper(request, address);
    if (!auth.ok) return toResponse(auth.reply);
    const body = await readJson(request, challengeWish, { allowEmpty: true });
    if (!body.ok) return body.response;

    const result = await offerChallenge(saleId, { ...auth.user, address }, body.data.kind);
    switch (result.status) {
      case 'offered':
        return json(result.challenge, { headers: auth.headers });
      case 'sale_not_found':
        return problem('SALE_NOT_FOUND');
      case 'not_needed':
        return problem('CHALLENGE_NOT_NEEDED');
      case 'not_offered':
        return problem('CHALLENGE_NOT_OFFERED', { extra: { kinds: result.kinds } });
      case 'ended':
        return problem('SALE_ENDED');
      case 'not_open':
        return problem('ENTRY_NOT_OPEN', { extra: { entryOpensAt: result.entryOpensAt } });
      case 'rate_limited':
        return problem('RATE_LIMITED', describeLimit(result.limited));
      case 'too_many':
        return problem('RATE_LIMITED', { retryAfterMs: result.retryAfterMs });
      case 'busy':
        return problem('UNAVAILABLE');
    }
  }),
);
