import { writeShopChoice } from '@/lib/account/shop-choice';
import { findOwnShop } from '@/lib/admin/shop/list-shops';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.chooseShop, async ({ user, params, answer, refuse }) => {
    const shop = await findOwnShop(user, params.shopId);
    return shop
      ? answer(200, shop, { 'set-cookie': writeShopChoice(shop.shopId) })
      : refuse('SHOP_NOT_FOUND');
  }),
);
