import { authorize } from '@/lib/account/authorize';
import { readReport } from '@/lib/desk/reconcile/list-reports';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const GET = route<{ saleId: string; reportId: string }>(async (request, { saleId, reportId }) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const report = await readReport(auth.user, saleId, reportId);
  return report ? json({ report }) : problem('NOT_FOUND');
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
