'use client';

import { adminPage, PageFrame } from '../kit/admin-page';
import { ChosenShop } from '../kit/chosen-shop';
import { ShopWebhooks } from './shop-webhooks';

/** Shows the webhooks of a shop. */
function Webhooks() {
  return (
    <PageFrame words="AdminWebhooks">
      <ChosenShop One={ShopWebhooks} />
    </PageFrame>
  );
}

export const WebhooksPage = adminPage(Webhooks, 'manageShop');
