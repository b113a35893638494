import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listAudit } from '@/lib/desk/audit/list-audit';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listAudit, ({ query }) => listAudit(query, query)),
);
