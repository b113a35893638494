import { authorize } from '@/lib/account/authorize';
import { readLive } from '@/lib/desk/read-live';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const live = await readLive(auth.user, saleId);
  return live ? json(live) : problem('SALE_NOT_FOUND');
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
