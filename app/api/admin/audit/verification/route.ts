import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { recentAuditCheck } from '@/lib/desk/audit/recent-audit-check';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.verifyAudit, () => recentAuditCheck()),
);
