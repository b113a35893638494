import { refuseRemoval } from '@/lib/access/refuse-factor';
import { removeFactor } from '@/lib/access/remove-factor';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removePasskey, async ({ request: { headers }, user, params, body, refuse }) => {
    const caller = { address: requestAddress(headers), headers };
    const result = await removeFactor(user, { kind: 'passkey', passkeyId: params.passkeyId }, body, caller);
    return result.status === 'removed' ? ({ removed: true } as const) : refuseRemoval(result, refuse);
  }),
);
