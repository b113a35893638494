import { refuseOwner } from '@/lib/access/refuse-factor';
import { removeFactor } from '@/lib/access/remove-factor';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removePasskey, async ({ request: { headers }, user, params, body, refuse }) => {
    const caller = { address: requestAddress(headers), headers };
    const result = await removeFactor(user, { kind: 'passkey', passkeyId: params.passkeyId }, body, caller);
    switch (result.status) {
      case 'removed':
        return { removed: true } as const;
      case 'not_found':
        return refuse('FACTOR_NOT_FOUND');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      default:
        return refuseOwner(result, refuse);
    }
  }),
);
