import 'server-only';
import { listCampaigns } from '@/lib/campaign/list-campaigns';
import type { Page } from '@/lib/contract/shapes/common';
import { type Actor, shownShop } from '../actor';

/** Returns one page of the campaigns the actor may see, newest first. */
export const listAdminCampaigns = async (actor: Actor, page: Page) =>
  listCampaigns(await shownShop(actor), page);
