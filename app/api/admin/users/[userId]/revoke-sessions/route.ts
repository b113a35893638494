import { answerUser } from '@/lib/account/admin/answer-user';
import { revokeSessions } from '@/lib/account/admin/revoke-sessions';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.revokeSessions, async ({ user, params }) =>
    answerUser(await revokeSessions(user, params.userId)),
  ),
);
