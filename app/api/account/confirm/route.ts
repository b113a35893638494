import { confirmAgain } from '@/lib/access/confirm-again';
import { refuseProof } from '@/lib/access/refuse-proof';
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
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      case 'factor_needed':
        return refuse('FACTOR_NEEDED');
      default:
        return refuseProof(result, body, refuse);
    }
  }),
);
