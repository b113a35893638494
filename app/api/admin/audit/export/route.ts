import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { exportAudit } from '@/lib/audit/admin/export-audit';
import { recordExport } from '@/lib/audit/admin/record-export';
import * as contract from '@/lib/contract/operations';
import { csvResponse } from '@/lib/http/csv-response';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportAudit, async ({ user, query }) => {
    await recordExport(user, 'audit', query);
    return csvResponse('audit-log.csv', exportAudit(query));
  }),
);
