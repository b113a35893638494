import { answerShop } from '@/lib/admin/shop/answer-shop';
import { editShop } from '@/lib/admin/shop/edit-shop';
import { readShop } from '@/lib/admin/shop/read-shop';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readShop,
    async ({ user, params, refuse }) => (await readShop(user, params.shopId)) ?? refuse('SHOP_NOT_FOUND'),
  ),
  serve(contract.editShop, async ({ user, params: { shopId }, body }) =>
    answerShop(user, shopId, await editShop(user, shopId, body)),
  ),
);
