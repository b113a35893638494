import { answerUser } from '@/lib/admin/users/answer-user';
import { revokeSessions } from '@/lib/admin/users/revoke-sessions';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.revokeSessions, async ({ user, params }) =>
    answerUser(await revokeSessions(user, params.userId)),
  ),
);
