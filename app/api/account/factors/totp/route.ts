import { beginTotp } from '@/lib/access/begin-totp';
import { refuseOwner } from '@/lib/access/refuse-factor';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.beginTotp, async ({ request: { headers }, user, body, refuse }) => {
    const result = await beginTotp(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'begun':
        return { secret: result.secret, address: result.address };
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      case 'unverified':
        return refuse('ADDRESS_UNVERIFIED');
      case 'exists':
        return refuse('FACTOR_EXISTS');
      default:
        return refuseOwner(result, refuse);
    }
  }),
);
