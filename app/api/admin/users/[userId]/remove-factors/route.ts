import { answerUser } from '@/lib/account/admin/answer-user';
import { removeFactors } from '@/lib/account/admin/remove-factors';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.removeFactors, async ({ user, params }) =>
    answerUser(await removeFactors(user, params.userId)),
  ),
);
