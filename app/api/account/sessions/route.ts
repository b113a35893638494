import { authorize } from '@/lib/account/authorize';
import { listSessions } from '@/lib/account/sessions/list-sessions';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';

export const GET = route(async (request) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  return json({ sessions: await listSessions(auth.user.userId, auth.user.session.id) });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
