import { answerUser } from '@/lib/account/admin/answer-user';
import { unbanUser } from '@/lib/account/admin/ban-user';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.unbanUser, async ({ user, params }) => answerUser(await unbanUser(user, params.userId))),
);
