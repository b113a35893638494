import { beginJoining } from '@/lib/access/join-identity';
import { refuseOwner } from '@/lib/access/refuse-factor';
import { listIdentities } from '@/lib/account/identities/list-identities';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { withCookies } from '@/lib/http/with-cookies';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listIdentities, ({ user }) => listIdentities(user.userId)),
  serve(contract.joinIdentity, async ({ request: { headers }, user, body, answer, refuse }) => {
    const result = await beginJoining(user, body, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'begun':
        return withCookies(answer(200, { url: result.url }), result.setCookies);
      case 'not_found':
        return refuse('NOT_FOUND');
      case 'exists':
        return refuse('IDENTITY_EXISTS');
      case 'unverified':
        return refuse('ADDRESS_UNVERIFIED');
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      case 'away':
        return refuse('SIGN_IN_SERVER_AWAY');
      default:
        return refuseOwner(result, refuse);
    }
  }),
);
