import { authorize } from '@/lib/account/authorize';
import { readOverview } from '@/lib/desk/queues/read-overview';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  return json(await readOverview(auth.user));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
