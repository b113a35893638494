import { authorize } from '@/lib/account/authorize';
import { listReports } from '@/lib/desk/reconcile/list-reports';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const GET = route<{ saleId: string }>(async (request, { saleId }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const result = await listReports(auth.user, saleId, page.data);
  switch (result.status) {
    case 'listed':
      return json({ reports: result.reports, nextCursor: result.nextCursor });
    case 'foreign_cursor':
      return problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
    case 'not_found':
      return problem('SALE_NOT_FOUND');
  }
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
