import { answerUser } from '@/lib/admin/users/answer-user';
import { unbanUser } from '@/lib/admin/users/ban-user';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.unbanUser, async ({ user, params }) => answerUser(await unbanUser(user, params.userId))),
);
