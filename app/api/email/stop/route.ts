import { describeWait } from '@/lib/access/describe-wait';
import { stopEmailChange } from '@/lib/access/stop-email-change';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

/** The link alone identifies the account: a thief may have ended every session of its owner. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.stopEmailChange, async ({ request: { headers }, body, refuse }) => {
    const result = await stopEmailChange(body.token, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'stopped':
        return { email: result.email };
      case 'invalid':
        return refuse('EMAIL_CHANGE_INVALID');
      case 'limited':
        return refuse('RATE_LIMITED', describeWait('email-change-link', result.waitMs));
    }
  }),
);
