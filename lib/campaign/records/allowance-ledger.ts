import 'server-only';
import type { Db } from '@/lib/db/client';

/*
 * The units that a person may have in each sale of a campaign; together never more than the campaign's limit. Postgres
 * decides: a sale in Redis never allows more than the row says. A change of a person's rows locks that person in the
 * campaign; a load of one of its sales into Redis locks out all changes.
 */

const nameOf = (campaignId: string) => `campaign:${campaignId}`;

/** Makes changes of one person's allowances in a campaign follow one another, and lets no load of its sales come between. */
export async function lockPerson(tx: Db, campaignId: string, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${nameOf(campaignId)}, 0))`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${nameOf(campaignId)}:${userId}`}, 0))`;
}

/** Keeps all allowances of a campaign as they are until the transaction ends. For a load, after the sale's row. */
export async function lockAllowances(tx: Db, campaignId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${nameOf(campaignId)}, 0))`;
}

/** A person's allowance in one sale, with what says which loading of that sale in Redis is valid. */
export type LedgerRow = {
  saleId: string;
  units: number;
  number: bigint;
  epoch: number;
  slices: number;
  sliceEpochs: number[];
};

/**
 * Reads a person's allowances in a campaign, and takes a number for one change of them.
 * @param tx has locked the person, in an earlier statement: this one then sees what others have committed
 * @returns null if the campaign has no limit, or is gone
 */
export async function readAllowances(
  tx: Db,
  campaignId: string,
  userId: string,
): Promise<{ limit: number; number: bigint; rows: LedgerRow[] } | null> {
  const [campaign] = await tx.$queryRaw<{ limit: number | null; number: bigint }[]>`
    SELECT limit_per_user AS "limit", nextval('campaign_allowance_numbers') AS number
      FROM campaigns WHERE id = ${campaignId}`;
  if (!campaign || campaign.limit === null) return null;
  const rows = await tx.$queryRaw<LedgerRow[]>`
    SELECT a.sale_id AS "saleId", a.units, a.number, s.epoch, s.slices, s.slice_epochs AS "sliceEpochs"
      FROM campaign_allowances a JOIN sales s ON s.id = a.sale_id
     WHERE a.campaign_id = ${campaignId} AND a.user_id = ${userId}
     ORDER BY s.starts_at, s.id`;
  return { limit: campaign.limit, number: campaign.number, rows };
}

/** Writes what a person may have in a sale. @param change `number` as `readAllowances` gave it */
export async function writeAllowance(
  tx: Db,
  { campaignId, saleId, userId }: { campaignId: string; saleId: string; userId: string },
  { units, number }: { units: number; number: bigint },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO campaign_allowances (campaign_id, user_id, sale_id, units, number)
    VALUES (${campaignId}, ${userId}, ${saleId}, ${units}, ${number})
    ON CONFLICT (campaign_id, user_id, sale_id) DO UPDATE SET units = excluded.units, number = excluded.number`;
}

/** Reads, in pages by user, what everybody may have in a sale. */
export async function* streamAllowances(
  tx: Db,
  saleId: string,
): AsyncGenerator<{ userId: string; units: number; number: bigint }[]> {
  const PAGE = 2_000;
  for (let after = ''; ; ) {
    const page = await tx.campaignAllowance.findMany({
      where: { saleId, userId: { gt: after } },
      select: { userId: true, units: true, number: true },
      orderBy: { userId: 'asc' },
      take: PAGE,
    });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.userId ?? '';
  }
}
