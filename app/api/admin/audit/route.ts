import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { listAudit } from '@/lib/audit/admin/list-audit';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listAudit, ({ query }) => listAudit(query, query)),
);
