import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listApprovals } from '@/lib/desk/approvals/list-approvals';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listApprovals, ({ user, query }) => listApprovals(user, query, query)),
);
