import { refuseFactor } from '@/lib/access/refuse-factor';
import { renewRecoveryCodes } from '@/lib/access/renew-recovery-codes';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.renewRecoveryCodes, async ({ request: { headers }, user, body, refuse }) => {
    const result = await renewRecoveryCodes(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'renewed':
        return { recoveryCodes: result.recoveryCodes };
      default:
        return refuseFactor(result, refuse);
    }
  }),
);
