import { verifyEmail, verifyEmailSchema } from '@/lib/account/verify-email';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

/** The token alone says who: the mail may be read on another device than the account is used on. */
export const POST = route(async (request) => {
  const body = await readJson(request, verifyEmailSchema);
  if (!body.ok) return body.response;
  return (await verifyEmail(body.data.token)) ? json({ verified: true }) : problem('VERIFICATION_INVALID');
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
