import { authorize } from '@/lib/account/authorize';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';
import { countUnread } from '@/lib/notify/count-unread';

/** What the bell shows; at most 100. */
export const GET = route(async (request) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  return json({ unread: await countUnread(auth.user.userId) });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
