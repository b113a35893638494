import { answerUser } from '@/lib/account/admin/answer-user';
import { editUser } from '@/lib/account/admin/edit-user';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.editUser, async ({ user, params, body }) =>
    answerUser(await editUser(user, params.userId, body)),
  ),
);
