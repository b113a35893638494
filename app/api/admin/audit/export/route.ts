import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { exportAudit } from '@/lib/desk/audit/export-audit';
import { recordExport } from '@/lib/desk/record-export';
import { csvResponse } from '@/lib/http/csv-response';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.exportAudit, async ({ user, query }) => {
    await recordExport(user, 'audit', query);
    return csvResponse('audit-log.csv', exportAudit(query));
  }),
);
