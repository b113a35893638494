import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerShop } from '@/lib/shop/admin/answer-shop';
import { withdrawInvitation } from '@/lib/shop/admin/withdraw-invitation';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.withdrawInvitation, async ({ user, params: { shopId, invitationId } }) =>
    answerShop(user, shopId, await withdrawInvitation(user, shopId, invitationId)),
  ),
);
