import { describeWait } from '@/lib/access/describe-wait';
import { redeemVerification } from '@/lib/access/redeem-verification';
import { verifyEmailSchema } from '@/lib/account/verify-email';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { requestAddress } from '@/lib/server/client-header';

/** The token alone says who: the mail may be read on another device than the account is used on. */
export const POST = route(async (request) => {
  const body = await readJson(request, verifyEmailSchema);
  if (!body.ok) return body.response;
  const { headers } = request;
  const result = await redeemVerification(body.data.token, { address: requestAddress(headers), headers });
  switch (result.status) {
    case 'verified':
      return json({ verified: true });
    case 'invalid':
      return problem('VERIFICATION_INVALID');
    case 'inbox_taken':
      return problem('INBOX_TAKEN');
    case 'limited':
      return problem('RATE_LIMITED', describeWait('verification', result.waitMs));
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
