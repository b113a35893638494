import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { listApprovals } from '@/lib/approval/list-approvals';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listApprovals, ({ user, query }) => listApprovals(user, query, query)),
);
