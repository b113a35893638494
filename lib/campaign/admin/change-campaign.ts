import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import { toCampaign, WITH_COUNT } from '@/lib/campaign/records/to-campaign';
import type { Campaign } from '@/lib/contract/shapes/campaign';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { renewCampaignPages } from '@/lib/pages/renew-campaign-pages';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import type { Prisma } from '@/prisma/generated/client';
import { recordedCampaign } from './recorded-campaign';

export type ChangeCampaignResult<Refusal extends { status: string } = never> =
  | { status: 'changed'; campaign: Campaign }
  | { status: 'not_found' }
  | Refusal;

type Change<Refusal extends { status: string }> = {
  /** The action's name in the audit log. */
  action: `campaign.${string}`;
  /** Refuses what the locked row forbids. */
  refuse?: (campaign: Campaign, tx: Db) => NoInfer<Refusal> | null | Promise<NoInfer<Refusal> | null>;
  data: Prisma.CampaignUpdateInput;
};

/**
 * Changes a campaign; every change of one goes through here. Locks its row, so that no sale of it is published meanwhile,
 * and drops what is kept of its sales, whose pages and answers name it. Changing nothing is no new version.
 */
export async function changeCampaign<Refusal extends { status: string } = never>(
  actor: Actor,
  campaignId: string,
  { action, refuse, data }: Change<Refusal>,
): Promise<ChangeCampaignResult<Refusal>> {
  let shown: { slug: string; sales: { id: string; slug: string }[] } | undefined;
  const result = await transaction(async (tx): Promise<ChangeCampaignResult<Refusal>> => {
    await tx.$executeRaw`SELECT 1 FROM campaigns WHERE id = ${campaignId} FOR NO KEY UPDATE`;
    const where = { id: campaignId };
    const row = await tx.campaign.findUnique({ where, include: WITH_COUNT });
    if (!row || !(await mayManage(actor, row.merchantId, 'settings', tx))) return { status: 'not_found' };
    const before = toCampaign(row);
    const refusal = await refuse?.(before, tx);
    if (refusal) return refusal;
    const after = toCampaign({ ...row, ...(data as typeof row) });
    const fields = changedFields(recordedCampaign(before), recordedCampaign(after));
    if (!fields) return { status: 'changed', campaign: before };
    const changed = await tx.campaign.update({
      where,
      data: { ...data, version: { increment: 1 } },
      include: {
        ...WITH_COUNT,
        sales: { where: { status: { not: 'draft' } }, select: { id: true, slug: true } },
      },
    });
    shown = changed;
    await recordAction(tx, actor, { action, subject: { kind: 'campaign', id: campaignId }, ...fields });
    return { status: 'changed', campaign: toCampaign(changed) };
  });
  if (shown) {
    await Promise.all(shown.sales.map(({ id }) => forgetSaleInfo(id)));
    await renewCampaignPages(shown);
  }
  return result;
}
