import { deleteAccount } from '@/lib/access/delete-account';
import { refusePassword } from '@/lib/access/refuse-password';
import { forgetSessionCookie } from '@/lib/account/sessions/session-token';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.deleteAccount, async ({ request: { headers }, user, body, answer, refuse }) => {
    const caller = { address: requestAddress(headers), headers };
    const result = await deleteAccount(user, body.currentPassword, caller);
    switch (result.status) {
      case 'deleted':
        return answer(200, { deleted: true }, { 'set-cookie': forgetSessionCookie() });
      case 'open_orders':
        return refuse('ACCOUNT_HAS_OPEN_ORDERS', { extra: { orders: result.count } });
      case 'owns_sales':
        return refuse('ACCOUNT_OWNS_SALES');
      case 'last_owner':
        return refuse('LAST_OWNER');
      case 'last_admin':
        return refuse('LAST_ADMIN');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      default:
        return refusePassword(result, refuse);
    }
  }),
);
