import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerShop } from '@/lib/shop/admin/answer-shop';
import { inviteMember } from '@/lib/shop/admin/invite-member';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.inviteMember, async ({ user, params: { shopId }, body }) =>
    answerShop(user, shopId, await inviteMember(user, shopId, body)),
  ),
);
