import { authorize } from '@/lib/account/authorize';
import { sendVerification } from '@/lib/access/send-verification';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

/** Sends the mail to verify the own address, again. */
export const POST = route(async (request) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  if (auth.user.emailVerifiedAt !== null) return json({ verified: true });
  const result = await sendVerification(auth.user);
  return result.status === 'sent'
    ? json({ verified: false }, { status: 202 })
    : problem('RATE_LIMITED', { retryAfterMs: result.retryAfterMs });
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
