import { signOutEverywhere } from '@/lib/access/sign-out-everywhere';
import { authorize } from '@/lib/account/authorize';
import { forgetSessionCookie } from '@/lib/account/sessions/session-token';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';

/** Signs out everywhere, here too. */
export const POST = route(async (request) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  await signOutEverywhere(auth.user);
  return json({ ended: true }, { headers: { 'set-cookie': forgetSessionCookie() } });
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
