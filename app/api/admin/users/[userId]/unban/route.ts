import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerUser } from '@/lib/desk/users/answer-user';
import { unbanUser } from '@/lib/desk/users/ban-user';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.unbanUser, async ({ user, params }) => answerUser(await unbanUser(user, params.userId))),
);
