import { authorize } from '@/lib/account/authorize';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { markRead, markReadSchema } from '@/lib/notify/mark-read';

/** Those named, or all. */
export const POST = route(async (request) => {
  const auth = await authorize(request);
  if (!auth.ok) return auth.response;
  const body = await readJson(request, markReadSchema, { allowEmpty: true });
  if (!body.ok) return body.response;
  return json({ unread: await markRead(auth.user.userId, body.data.ids) });
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
