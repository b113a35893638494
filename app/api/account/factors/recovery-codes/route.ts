import { describeWait } from '@/lib/access/describe-wait';
import { renewRecoveryCodes } from '@/lib/access/renew-recovery-codes';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.renewRecoveryCodes, async ({ request: { headers }, user, body, refuse }) => {
    const result = await renewRecoveryCodes(user, body.code, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'renewed':
        return { recoveryCodes: result.recoveryCodes };
      case 'wrong':
        return refuse('FACTOR_CODE_WRONG');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      case 'limited':
        return refuse('RATE_LIMITED', describeWait('second-step', result.waitMs));
    }
  }),
);
