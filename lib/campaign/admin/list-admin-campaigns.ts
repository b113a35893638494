import 'server-only';
import { type Actor, seesAll } from '@/lib/actor/actor';
import { listCampaigns } from '@/lib/campaign/records/list-campaigns';
import type { Page } from '@/lib/contract/shapes/common';

/** Returns one page of the campaigns the actor may see, newest first. */
export const listAdminCampaigns = (actor: Actor, page: Page) =>
  listCampaigns(seesAll(actor) ? null : actor.userId, page);
