import 'server-only';
import { db } from '@/lib/db/client';
import { loadingsOf } from '@/lib/slice/loadings';
import { scanAllowances } from '@/lib/stock/scan-allowances';
import { addLasting, type Findings } from './findings';
import type { SaleAccount } from './types';

/** More than are ever shown; only keeps a badly broken sale from filling the memory. */
const MAX_ROWS = 1_000;

type Person = { userId: string; units: number };

/**
 * Invariant 4 of a sale in a campaign with a limit: no person's live orders or allowances exceed it, and Redis allows
 * nobody more in this sale than Postgres. A change never allows more meanwhile, but the two are not read at one
 * instant, so a difference is looked at again.
 */
export async function checkCampaign(sale: SaleAccount, settleMs: number, findings: Findings): Promise<void> {
  const { campaignId, campaignLimit: limit } = sale;
  if (campaignId === null || limit === null) return;
  for (const { userId, units } of await findOverLimit(campaignId, limit))
    findings.add(4, 'over_campaign_in_orders', { userId, units, limit });
  for (const { userId, units } of await findOverAllowed(campaignId, limit))
    findings.add(4, 'over_campaign_allowed', { userId, units, limit });
  await addLasting(findings, settleMs, (found) => compareAllowances(sale, found));
}

const findOverLimit = (campaignId: string, limit: number): Promise<Person[]> =>
  db().$queryRaw`
    SELECT o.user_id AS "userId", sum(o.quantity)::int AS units
      FROM orders o JOIN sales s ON s.id = o.sale_id
     WHERE s.campaign_id = ${campaignId} AND o.status IN ('pending_payment', 'paid')
     GROUP BY o.user_id HAVING sum(o.quantity) > ${limit} LIMIT ${MAX_ROWS}`;

const findOverAllowed = (campaignId: string, limit: number): Promise<Person[]> =>
  db().$queryRaw`
    SELECT user_id AS "userId", sum(units)::int AS units FROM campaign_allowances
     WHERE campaign_id = ${campaignId} GROUP BY user_id HAVING sum(units) > ${limit} LIMIT ${MAX_ROWS}`;

async function compareAllowances(sale: SaleAccount, findings: Findings): Promise<void> {
  const { saleId } = sale;
  for (const { saleId: stockId } of loadingsOf(sale)) {
    for await (const page of scanAllowances(stockId)) {
      const rows = await db().campaignAllowance.findMany({
        where: { saleId, userId: { in: [...page.keys()] } },
        select: { userId: true, units: true },
      });
      const inPostgres = new Map(rows.map(({ userId, units }) => [userId, units]));
      for (const [userId, inRedis] of page) {
        const allowed = inPostgres.get(userId) ?? 0;
        // Not a number is not less.
        if (!(inRedis <= allowed))
          findings.add(4, 'allowance_differs', { userId, inRedis: String(inRedis), inPostgres: allowed });
      }
    }
  }
}
