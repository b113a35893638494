import { confirmEmailChange } from '@/lib/access/confirm-email-change';
import { describeWait } from '@/lib/access/describe-wait';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

/** The link alone identifies the account: its owner may read the mail on another device. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.confirmEmailChange, async ({ request: { headers }, body, refuse }) => {
    const result = await confirmEmailChange(body.token, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'changed':
        return { email: result.email };
      case 'invalid':
        return refuse('EMAIL_CHANGE_INVALID');
      case 'email_taken':
        return refuse('EMAIL_TAKEN');
      case 'limited':
        return refuse('RATE_LIMITED', describeWait('email-change-link', result.waitMs));
    }
  }),
);
