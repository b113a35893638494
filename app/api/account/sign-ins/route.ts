import { beginJoining } from '@/lib/access/join-identity';
import { formLocale } from '@/lib/access/lead-to';
import { refusePassword } from '@/lib/access/refuse-password';
import { listSignIns } from '@/lib/account/identities/list-sign-ins';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { openIdProvider } from '@/lib/open-id/open-id-provider';
import { requestAddress } from '@/lib/server/client-header';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listSignIns, ({ user }) => listSignIns(user.userId)),
  serve(contract.joinSignIn, async ({ request: { headers }, user, body, refuse, answer }) => {
    const provider = openIdProvider();
    if (!provider) return refuse('SIGN_IN_NOT_OFFERED');
    const { currentPassword, locale } = body;
    const wanted = { currentPassword, locale: formLocale(locale), callbackUrl: null };
    const result = await beginJoining(provider, user, wanted, { address: requestAddress(headers), headers });
    switch (result.status) {
      case 'begun':
        return answer(200, { address: result.address }, { 'set-cookie': result.setCookie });
      case 'exists':
        return refuse('SIGN_IN_EXISTS');
      case 'unverified':
        return refuse('OWN_EMAIL_UNVERIFIED');
      case 'no_password':
        return refuse('NO_PASSWORD');
      case 'demo_account':
        return refuse('DEMO_ACCOUNT');
      case 'away':
        return refuse('SIGN_IN_AWAY');
      default:
        return refusePassword(result, refuse);
    }
  }),
);
