import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import { createCampaign as insertCampaign } from '@/lib/campaign/create-campaign';
import type { CreateCampaignInput } from '@/lib/contract/shapes/campaign';
import { transaction } from '@/lib/db/transaction';
import { type Actor, demand } from '../actor';
import { recordedCampaign } from './recorded-campaign';

/** Creates a campaign that belongs to the actor. */
export function createCampaign(actor: Actor, input: CreateCampaignInput) {
  demand(actor, 'manageSales');
  return transaction(async (tx) => {
    const result = await insertCampaign(tx, actor.userId, input);
    if (result.status === 'created') {
      const subject = { kind: 'campaign', id: result.campaign.campaignId };
      const after = recordedCampaign(result.campaign);
      await recordAction(tx, actor, { action: 'campaign.create', subject, before: null, after });
    }
    return result;
  });
}
