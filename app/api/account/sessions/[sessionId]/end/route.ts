import { endSession } from '@/lib/access/end-session';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.endSession, async ({ user, params, refuse }) =>
    (await endSession(user.userId, params.sessionId))
      ? ({ ended: true } as const)
      : refuse('SESSION_NOT_FOUND'),
  ),
);
