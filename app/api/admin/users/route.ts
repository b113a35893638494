import { z } from 'zod';
import { authorize } from '@/lib/account/authorize';
import { listUsers } from '@/lib/account/list-users';
import { ROLES } from '@/lib/account/roles';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

const filterSchema = z.object({
  search: z.string().trim().max(254).optional(),
  role: z.enum(ROLES).optional(),
  state: z.enum(['all', 'banned']).default('all'),
});

export const GET = route(async (request) => {
  const auth = await authorize(request, 'manageUsers');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const { searchParams } = new URL(request.url);
  const given = Object.keys(filterSchema.shape).map((name) => [
    name,
    // Postgres knows no zero byte.
    searchParams.get(name)?.replaceAll('\0', '') || undefined,
  ]);
  const filter = filterSchema.safeParse(Object.fromEntries(given));
  if (!filter.success) return validationProblem(filter.error);
  const { state, ...where } = filter.data;
  return json(await listUsers(page.data, { ...where, isBanned: state === 'banned' }));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
