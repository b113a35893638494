import { beginPasskey } from '@/lib/access/begin-passkey';
import { refuseOwner } from '@/lib/access/refuse-factor';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.beginPasskey, async ({ request: { headers }, user, body, answer, refuse }) => {
    const result = await beginPasskey(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'begun':
        return answer(200, result.wish, { 'set-cookie': result.setCookie });
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      case 'unverified':
        return refuse('ADDRESS_UNVERIFIED');
      case 'full':
        return refuse('PASSKEYS_FULL');
      default:
        return refuseOwner(result, refuse);
    }
  }),
);
