import { listAdminAlerts } from '@/lib/alert/admin/list-admin-alerts';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listAlerts, ({ user, query }) => listAdminAlerts(user, query, query)),
);
