import { describeWait } from '@/lib/access/describe-wait';
import { refusePassword } from '@/lib/access/refuse-password';
import { removeTotp } from '@/lib/access/remove-totp';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removeTotp, async ({ request: { headers }, user, body, refuse }) => {
    const result = await removeTotp(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'removed':
        return { removed: true } as const;
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      case 'code_wrong':
        return refuse('FACTOR_CODE_WRONG');
      case 'code_limited':
        return refuse('RATE_LIMITED', describeWait('second-step', result.waitMs));
      default:
        return refusePassword(result, refuse);
    }
  }),
);
