import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerUser } from '@/lib/desk/users/answer-user';
import { editUser } from '@/lib/desk/users/edit-user';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.editUser, async ({ user, params, body }) =>
    answerUser(await editUser(user, params.userId, body)),
  ),
);
