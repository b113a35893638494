import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import { createCampaign as insertCampaign } from '@/lib/campaign/create-campaign';
import type { CreateCampaignInput } from '@/lib/contract/shapes/campaign';
import { transaction } from '@/lib/db/transaction';
import { type Actor, demand, shopForNew } from '../actor';
import { recordedCampaign } from './recorded-campaign';

/**
 * Creates a campaign of the shop the actor has chosen.
 * @param shown the one that their page showed
 * @throws NotAllowedError if they may not do that there
 */
export function createCampaign(actor: Actor, input: CreateCampaignInput, shown?: string) {
  demand(actor, 'manageSales');
  return transaction(async (tx) => {
    const shopId = await shopForNew(actor, shown, tx);
    if (shopId === null) return { status: 'shop_changed' as const };
    const result = await insertCampaign(tx, shopId, input);
    if (result.status === 'created') {
      const subject = { kind: 'campaign', id: result.campaign.campaignId };
      const after = recordedCampaign(result.campaign);
      await recordAction(tx, actor, { action: 'campaign.create', subject, before: null, after });
    }
    return result;
  });
}
