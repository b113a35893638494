import { acknowledgeAdminAlert } from '@/lib/alert/admin/acknowledge-admin-alert';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.acknowledgeAlert,
    async ({ user, params, body, refuse }) =>
      (await acknowledgeAdminAlert(user, params.id, body.note)) ?? refuse('ALERT_NOT_FOUND'),
  ),
);
