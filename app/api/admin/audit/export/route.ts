import { authorize } from '@/lib/account/authorize';
import { exportAudit } from '@/lib/desk/audit/export-audit';
import { recordExport } from '@/lib/desk/record-export';
import { csvResponse } from '@/lib/http/csv-response';
import { otherMethods } from '@/lib/http/other-methods';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { parseAuditFilter } from '../filter';

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeAudit');
  if (!auth.ok) return auth.response;
  const filter = parseAuditFilter(request.url);
  if (!filter.success) return validationProblem(filter.error);
  await recordExport(auth.user, 'audit', filter.data);
  return csvResponse('audit-log.csv', exportAudit(filter.data));
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
