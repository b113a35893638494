import { authorize } from '@/lib/account/authorize';
import { readPrewarmList } from '@/lib/desk/read-prewarm-list';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const list = await readPrewarmList(auth.user, saleId);
  return list ? json(list) : problem('SALE_NOT_FOUND');
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
