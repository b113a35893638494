import 'server-only';
import { type SaleStrategy, STRATEGIES } from '@/lib/contract/words/sale';
import type { Db } from '@/lib/db/client';

/** Why a sale can't belong to a campaign. */
export type CampaignRefusal = {
  status: 'campaign';
  code: 'CAMPAIGN_NOT_FOUND' | 'CAMPAIGN_ARCHIVED' | 'CAMPAIGN_NEEDS_SCRIPT';
};

type Joining = { merchantId: string; strategy: string; onStockOutage: string; waitlist: boolean };

/**
 * Tells why a sale can't belong to a campaign: there is none of its merchant's, it is archived, or it limits persons over
 * all its sales, which only the script in Redis can, and only where nobody waits for units. The campaign stays as it is until the transaction ends.
 * @param campaignId null: none, which is always allowed
 */
export async function refuseCampaign(
  tx: Db,
  campaignId: string | null,
  { merchantId, strategy, onStockOutage, waitlist }: Joining,
): Promise<CampaignRefusal | null> {
  if (campaignId === null) return null;
  const [row] = await tx.$queryRaw<{ merchantId: string; status: string; limit: number | null }[]>`
    SELECT merchant_id AS "merchantId", status, limit_per_user AS "limit"
      FROM campaigns WHERE id = ${campaignId} FOR SHARE`;
  const refused = (code: CampaignRefusal['code']): CampaignRefusal => ({ status: 'campaign', code });
  if (row?.merchantId !== merchantId) return refused('CAMPAIGN_NOT_FOUND');
  if (row.status === 'archived') return refused('CAMPAIGN_ARCHIVED');
  const canShare =
    STRATEGIES[strategy as SaleStrategy].canShareLimit && onStockOutage === 'closed' && !waitlist;
  return row.limit === null || canShare ? null : refused('CAMPAIGN_NEEDS_SCRIPT');
}
