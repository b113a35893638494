import { answerShop } from '@/lib/admin/shop/answer-shop';
import { withdrawInvitation } from '@/lib/admin/shop/withdraw-invitation';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.withdrawInvitation, async ({ user, params: { shopId, invitationId } }) =>
    answerShop(user, shopId, await withdrawInvitation(user, shopId, invitationId)),
  ),
);
