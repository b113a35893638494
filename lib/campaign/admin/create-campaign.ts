import 'server-only';
import { type Actor, shopForNew } from '@/lib/actor/actor';
import { createOnce } from '@/lib/actor/create-once';
import { recordAction } from '@/lib/audit/record-action';
import { createCampaign as insertCampaign } from '@/lib/campaign/records/create-campaign';
import { toCampaign, WITH_COUNT } from '@/lib/campaign/records/to-campaign';
import type { Campaign, CreateCampaignInput } from '@/lib/contract/shapes/campaign';
import { transaction } from '@/lib/db/transaction';
import { recordedCampaign } from './recorded-campaign';

/** Creates a campaign of one of the actor's shops, once for each request. @throws NotAllowedError as `shopForNew` */
export function createCampaign(
  actor: Actor,
  input: CreateCampaignInput,
): Promise<
  { status: 'created'; campaign: Campaign } | { status: 'made_otherwise' | 'slug_taken' | 'no_shop' }
> {
  return transaction(async (tx) => {
    const shopId = await shopForNew(actor, input.shopId, tx);
    if (shopId === null) return { status: 'no_shop' };
    const made = await createOnce(tx, actor, 'camp', input, {
      insert: (id) => insertCampaign(tx, shopId, id, input),
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
