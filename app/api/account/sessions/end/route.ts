import { signOutEverywhere } from '@/lib/access/sign-out-everywhere';
import { forgetSessionCookie } from '@/lib/account/sessions/session-token';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.signOutEverywhere, async ({ user, answer }) => {
    await signOutEverywhere(user);
    return answer(200, { ended: true }, { 'set-cookie': forgetSessionCookie() });
  }),
);
