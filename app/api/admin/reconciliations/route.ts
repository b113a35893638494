import { authorize } from '@/lib/account/authorize';
import { listReconciled, reconciledFilterSchema } from '@/lib/desk/reconcile/list-reports';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { parseFilter } from '@/lib/http/parse-filter';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseFilter(request.url, reconciledFilterSchema);
  if (!filter.success) return validationProblem(filter.error);
  return json(await listReconciled(auth.user, page.data, filter.data));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
