'use client';

import { adminPage, PageFrame } from '../kit/admin-page';
import { ChosenShop } from '../kit/chosen-shop';
import { OneShop } from './one-shop';

/** Shows a shop and who is in it. */
function Shop() {
  return (
    <PageFrame words="AdminShop">
      <ChosenShop One={OneShop} />
    </PageFrame>
  );
}

export const ShopPage = adminPage(Shop);
