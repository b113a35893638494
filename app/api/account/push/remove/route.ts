import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { removeSubscription } from '@/lib/notify/push/remove-subscription';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removePush, async ({ user, body }) => {
    await removeSubscription(user.userId, body.endpoint);
    return { on: false } as const;
  }),
);
