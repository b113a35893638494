import { refuseProof } from '@/lib/access/refuse-proof';
import { removePasskey } from '@/lib/access/remove-passkey';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removePasskey, async ({ request: { headers }, user, params, body, refuse }) => {
    const caller = { address: requestAddress(headers), headers };
    const result = await removePasskey(user, params.passkeyId, body, caller);
    switch (result.status) {
      case 'removed':
        return { removed: true } as const;
      case 'not_found':
        return refuse('PASSKEY_NOT_FOUND');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      default:
        return refuseProof(result, body, refuse);
    }
  }),
);
