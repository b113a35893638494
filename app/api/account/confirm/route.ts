import { confirmAgain } from '@/lib/access/confirm-again';
import { refuseOwner } from '@/lib/access/refuse-factor';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.confirmAgain, async ({ request: { headers }, user, body, refuse }) => {
    const result = await confirmAgain(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'confirmed':
        return { confirmed: true } as const;
      default:
        return refuseOwner(result, refuse);
    }
  }),
);
