import { authorize } from '@/lib/account/authorize';
import { listAudit } from '@/lib/desk/audit/list-audit';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseAuditFilter } from './filter';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeAudit');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const filter = parseAuditFilter(request.url);
  if (!filter.success) return validationProblem(filter.error);
  const entries = await listAudit(page.data, filter.data);
  return entries ? json(entries) : problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
