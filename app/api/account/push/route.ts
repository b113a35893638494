import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { findSubscription } from '@/lib/notify/push/find-subscription';
import { pushKey } from '@/lib/notify/push/push-key';
import { saveSubscription } from '@/lib/notify/push/save-subscription';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readPush, async ({ user }) => ({
    publicKey: pushKey()?.publicKey ?? null,
    endpoint: await findSubscription(user.session.id),
  })),
  serve(contract.addPush, async ({ user, body, refuse }) => {
    switch (await saveSubscription(user, body)) {
      case 'saved':
        return { on: true } as const;
      case 'off':
        return refuse('PUSH_OFF');
      case 'unusable':
        return refuse('PUSH_UNUSABLE');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
    }
  }),
);
