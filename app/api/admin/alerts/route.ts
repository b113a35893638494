import { authorize } from '@/lib/account/authorize';
import { alertFilterSchema } from '@/lib/alert/list-alerts';
import { listDeskAlerts } from '@/lib/desk/alerts/list-desk-alerts';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { parseFilter } from '@/lib/http/parse-filter';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseFilter(request.url, alertFilterSchema);
  if (!filter.success) return validationProblem(filter.error);
  const alerts = await listDeskAlerts(auth.user, page.data, filter.data);
  return alerts ? json(alerts) : problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
