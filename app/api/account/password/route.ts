import { changePassword } from '@/lib/access/change-password';
import { refusePassword } from '@/lib/access/refuse-password';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.changePassword, async ({ request: { headers }, user, body, refuse }) => {
    const result = await changePassword(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'changed':
        return { changed: true } as const;
      case 'guessable':
        return refuse('PASSWORD_GUESSABLE');
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      default:
        return refusePassword(result, refuse);
    }
  }),
);
