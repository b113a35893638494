import { refuseOwner } from '@/lib/access/refuse-factor';
import { forgetSessionCookie } from '@/lib/account/sessions/session-token';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { deleteAccount } from '@/lib/own-account/delete-account';
import { readDeletion } from '@/lib/own-account/read-deletion';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readDeletion, ({ user }) => readDeletion(user)),
  serve(contract.deleteAccount, async ({ request: { headers }, user, body, answer, refuse }) => {
    const caller = { address: requestAddress(headers), headers };
    const result = await deleteAccount(user, body, caller);
    switch (result.status) {
      case 'deleted':
        return answer(200, { deleted: true }, { 'set-cookie': forgetSessionCookie() });
      case 'unpaid_orders':
        return refuse('ACCOUNT_HAS_UNPAID_ORDERS');
      case 'live_sales':
        return refuse('ACCOUNT_HAS_LIVE_SALES');
      case 'last_owner':
        return refuse('LAST_OWNER');
      case 'last_admin':
        return refuse('LAST_ADMIN');
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      default:
        return refuseOwner(result, refuse);
    }
  }),
);
