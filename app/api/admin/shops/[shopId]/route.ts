import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { answerShop } from '@/lib/shop/admin/answer-shop';
import { editShop } from '@/lib/shop/admin/edit-shop';
import { readShop } from '@/lib/shop/admin/read-shop';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readShop,
    async ({ user, params, refuse }) => (await readShop(user, params.shopId)) ?? refuse('SHOP_NOT_FOUND'),
  ),
  serve(contract.editShop, async ({ user, params: { shopId }, body }) =>
    answerShop(user, shopId, await editShop(user, shopId, body)),
  ),
);
