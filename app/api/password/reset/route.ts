import { describeComeBack, describeWait } from '@/lib/access/describe-wait';
import { resetPassword } from '@/lib/access/reset-password';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

/** The link alone identifies the account: an owner who has forgotten the password is signed in nowhere. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.resetPassword, async ({ request: { headers }, body, refuse }) => {
    const result = await resetPassword(body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'reset':
        return { email: result.email };
      case 'invalid':
        return refuse('RESET_INVALID');
      case 'guessable':
        return refuse('PASSWORD_GUESSABLE');
      case 'limited':
        return refuse('RATE_LIMITED', describeWait('password-reset-link', result.waitMs));
      case 'busy':
        return refuse('UNAVAILABLE', describeComeBack('password-reset', result.comeBack));
    }
  }),
);
