import { listSessions } from '@/lib/account/sessions/list-sessions';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.listSessions, async ({ user }) => ({
    sessions: await listSessions(user.userId, user.session.id),
  })),
);
