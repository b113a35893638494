import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { recentAuditCheck } from '@/lib/audit/admin/recent-audit-check';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.verifyAudit, () => recentAuditCheck()),
);
