import 'server-only';
import { type Actor, demand } from '@/lib/actor/actor';
import { createOnce } from '@/lib/actor/create-once';
import { recordAction } from '@/lib/audit/record-action';
import { createCampaign as insertCampaign } from '@/lib/campaign/records/create-campaign';
import { toCampaign, WITH_COUNT } from '@/lib/campaign/records/to-campaign';
import type { Campaign, CreateCampaignInput } from '@/lib/contract/shapes/campaign';
import { transaction } from '@/lib/db/transaction';
import { recordedCampaign } from './recorded-campaign';

/** Creates a campaign that belongs to the actor, once for each request. */
export function createCampaign(
  actor: Actor,
  input: CreateCampaignInput,
): Promise<
  { status: 'created'; campaign: Campaign } | { status: 'made_otherwise' } | { status: 'slug_taken' }
> {
  demand(actor, 'manageSales');
  return transaction(async (tx) => {
    const made = await createOnce(tx, actor, 'camp', input, {
      insert: (id) => insertCampaign(tx, actor.userId, id, input),
      find: async (id) => {
        const row = await tx.campaign.findUnique({ where: { id }, include: WITH_COUNT });
        return row && toCampaign(row);
      },
    });
    if (made.status === 'not_made') return { status: 'slug_taken' };
    if (made.status === 'made_otherwise') return made;
    const campaign = made.thing;
    if (made.status === 'created') {
      const subject = { kind: 'campaign', id: campaign.campaignId };
      const after = recordedCampaign(campaign);
      await recordAction(tx, actor, { action: 'campaign.create', subject, before: null, after });
    }
    return { status: 'created', campaign };
  });
}
