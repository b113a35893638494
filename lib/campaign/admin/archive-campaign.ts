import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { changeCampaign } from './change-campaign';

/** Archives a campaign: no sale joins it any more. Refused while one of its sales runs or is to come. */
export const archiveCampaign = (actor: Actor, campaignId: string) =>
  changeCampaign<{ status: 'in_use' }>(actor, campaignId, {
    action: 'campaign.archive',
    refuse: async (_campaign, tx) => {
      const open = await tx.sale.count({
        where: { campaignId, status: 'published', endsAt: { gt: new Date() } },
      });
      return open > 0 ? { status: 'in_use' } : null;
    },
    data: { status: 'archived' },
  });

/** Undoes the archiving of a campaign. */
export const reopenCampaign = (actor: Actor, campaignId: string) =>
  changeCampaign(actor, campaignId, { action: 'campaign.reopen', data: { status: 'open' } });
