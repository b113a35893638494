import { changePassword } from '@/lib/access/change-password';
import { describeLine, describeWait } from '@/lib/access/describe-wait';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.changePassword, async ({ request: { headers }, user, body, refuse }) => {
    const result = await changePassword(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'changed':
        return { changed: true } as const;
      case 'wrong':
        return refuse('PASSWORD_WRONG');
      case 'guessable':
        return refuse('PASSWORD_GUESSABLE');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      case 'limited':
        return refuse('RATE_LIMITED', describeWait('password', result.waitMs));
      case 'busy':
        return refuse('UNAVAILABLE', describeLine('password', result.comeBack));
    }
  }),
);
