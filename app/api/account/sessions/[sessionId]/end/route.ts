import { endSession } from '@/lib/access/end-session';
import { authorize } from '@/lib/account/authorize';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const POST = route<{ sessionId: string }>(async (request, { sessionId }) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  const hasEnded = await endSession(auth.user.userId, sessionId);
  return hasEnded ? json({ ended: true }) : problem('SESSION_NOT_FOUND');
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
