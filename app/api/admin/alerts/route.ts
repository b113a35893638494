import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { listDeskAlerts } from '@/lib/desk/alerts/list-desk-alerts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listAlerts, ({ user, query }) => listDeskAlerts(user, query, query)),
);
