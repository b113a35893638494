import { authorize } from '@/lib/account/authorize';
import { listSyncFailures } from '@/lib/desk/list-sync-failures';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  return json(await listSyncFailures(auth.user, page.data));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
