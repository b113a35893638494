import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerUser } from '@/lib/desk/users/answer-user';
import { revokeSessions } from '@/lib/desk/users/revoke-sessions';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.revokeSessions, async ({ user, params }) =>
    answerUser(await revokeSessions(user, params.userId)),
  ),
);
