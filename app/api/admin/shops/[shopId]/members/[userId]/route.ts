import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerShop } from '@/lib/shop/admin/answer-shop';
import { editMember } from '@/lib/shop/admin/edit-member';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.editMember, async ({ user, params: { shopId, userId }, body }) =>
    answerShop(user, shopId, await editMember(user, shopId, userId, body)),
  ),
);
