import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import { listCampaigns } from '@/lib/campaign/records/list-campaigns';
import type { Page } from '@/lib/contract/shapes/common';

/** Returns one page of the campaigns the actor may see, newest first. */
export const listAdminCampaigns = async (actor: Actor, page: Page) =>
  listCampaigns(await shopsOf(actor), page);
