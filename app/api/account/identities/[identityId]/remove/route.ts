import { refuseOwner } from '@/lib/access/refuse-factor';
import { removeIdentity } from '@/lib/access/remove-identity';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removeIdentity, async ({ request: { headers }, user, params, body, refuse }) => {
    const caller = { address: requestAddress(headers), headers };
    const result = await removeIdentity(user, params.identityId, body, caller);
    switch (result.status) {
      case 'removed':
        return { removed: true } as const;
      case 'not_found':
        return refuse('IDENTITY_NOT_FOUND');
      default:
        return refuseOwner(result, refuse);
    }
  }),
);
