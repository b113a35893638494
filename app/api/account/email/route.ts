import { askEmailChange } from '@/lib/access/ask-email-change';
import { describeWait } from '@/lib/access/describe-wait';
import { refusePassword } from '@/lib/access/refuse-password';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.askEmailChange, async ({ request: { headers }, user, body, refuse }) => {
    const result = await askEmailChange(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'taken':
        return { taken: true } as const;
      case 'unchanged':
        return refuse('EMAIL_UNCHANGED');
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      case 'too_soon':
        return refuse('RATE_LIMITED', describeWait('email-change', result.retryAfterMs));
      default:
        return refusePassword(result, refuse);
    }
  }),
);
