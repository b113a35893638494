import { addPasskey } from '@/lib/access/add-passkey';
import { forgetChallenge } from '@/lib/access/passkey-cookie';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.addPasskey, async ({ request: { headers }, user, body, answer, refuse }) => {
    const result = await addPasskey(user, body, { headers });
    switch (result.status) {
      case 'added': {
        const { passkeyId, recoveryCodes } = result;
        return answer(201, { passkeyId, recoveryCodes }, { 'set-cookie': forgetChallenge() });
      }
      case 'wrong':
        return refuse('PASSKEY_WRONG');
      case 'exists':
        return refuse('PASSKEY_EXISTS');
      case 'full':
        return refuse('PASSKEYS_FULL');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
    }
  }),
);
