import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import { MAX_CAMPAIGN_SALES } from '@/lib/campaign/records/find-campaign-page';
import { toCampaign, WITH_COUNT } from '@/lib/campaign/records/to-campaign';
import type { CampaignView } from '@/lib/contract/shapes/campaign';
import type { SaleStatus } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { endOf } from '@/lib/sale/records/end-of';
import { UNLIMITED } from '@/lib/stock/types';

/** Returns a campaign with its sales and what they have sold; null if there is none or it is another merchant's. */
export async function readCampaignView(actor: Actor, campaignId: string): Promise<CampaignView | null> {
  const row = await db().campaign.findUnique({
    where: { id: campaignId },
    include: {
      ...WITH_COUNT,
      sales: { orderBy: [{ startsAt: 'asc' }, { id: 'asc' }], take: MAX_CAMPAIGN_SALES },
    },
  });
  if (!row || !(await maySee(actor, row.merchantId))) return null;
  const [people, all] = await Promise.all([countPeople(campaignId), countAll(campaignId)]);
  const sessions = row.sales.map((sale) => ({
    saleId: sale.id,
    title: sale.title,
    status: sale.status as SaleStatus,
    startsAt: sale.startsAt.getTime(),
    endsAt: endOf(sale),
    total: sale.totalStock,
    held: sale.heldStock,
    sold: sale.soldStock,
    people: people.get(sale.id) ?? 0,
  }));
  const sum = (of: (session: (typeof sessions)[number]) => number) =>
    sessions.reduce((units, session) => units + of(session), 0);
  const isUnlimited = sessions.some(({ total }) => total === UNLIMITED);
  return {
    ...toCampaign(row),
    sessions,
    sums: {
      total: isUnlimited ? UNLIMITED : sum(({ total }) => total),
      held: sum(({ held }) => held),
      sold: sum(({ sold }) => sold),
      people: all,
    },
  };
}

async function countPeople(campaignId: string): Promise<Map<string, number>> {
  const rows = await db().$queryRaw<{ saleId: string; people: number }[]>`
    SELECT o.sale_id AS "saleId", count(DISTINCT o.user_id)::int AS people
      FROM orders o JOIN sales s ON s.id = o.sale_id
     WHERE s.campaign_id = ${campaignId} AND o.status IN ('pending_payment', 'paid')
     GROUP BY o.sale_id`;
  return new Map(rows.map(({ saleId, people }) => [saleId, people]));
}

async function countAll(campaignId: string): Promise<number> {
  const [row] = await db().$queryRaw<{ people: number }[]>`
    SELECT count(DISTINCT o.user_id)::int AS people
      FROM orders o JOIN sales s ON s.id = o.sale_id
     WHERE s.campaign_id = ${campaignId} AND o.status IN ('pending_payment', 'paid')`;
  return row?.people ?? 0;
}
