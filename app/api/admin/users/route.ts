import { authorize } from '@/lib/account/authorize';
import { listUsers, userFilterSchema } from '@/lib/account/list-users';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'manageUsers');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const { searchParams } = new URL(request.url);
  const given = Object.keys(userFilterSchema.shape).map((name) => [
    name,
    searchParams.get(name) || undefined,
  ]);
  const filter = userFilterSchema.safeParse(Object.fromEntries(given));
  if (!filter.success) return validationProblem(filter.error);
  const { state, ...where } = filter.data;
  return json(await listUsers(page.data, { ...where, isBanned: state === 'banned' }));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
