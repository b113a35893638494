import { askPasswordReset } from '@/lib/access/ask-password-reset';
import { describeWait } from '@/lib/access/describe-wait';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.askPasswordReset, async ({ request: { headers }, body, refuse }) => {
    const result = await askPasswordReset(body.email, { address: requestAddress(headers), headers });
    return result.status === 'taken'
      ? ({ taken: true } as const)
      : refuse('RATE_LIMITED', describeWait('password-reset', result.retryAfterMs));
  }),
);
