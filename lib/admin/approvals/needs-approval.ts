import 'server-only';
import type { Db } from '@/lib/db/client';
import { env } from '@/lib/env';

const DAY_SEC = 86_400;

/**
 * Tells whether adding `delta` units takes two people. Counts the units added to the sale within a day too, so that
 * many small steps are no way around the limit. The caller has locked the sale's row.
 */
export async function stockNeedsApproval(tx: Db, saleId: string, delta: number): Promise<boolean> {
  const { approvalStockUnits } = env();
  if (approvalStockUnits === null || delta <= 0) return false;
  if (delta > approvalStockUnits) return true;
  const [row] = await tx.$queryRaw<{ added: number }[]>`
    SELECT coalesce(sum(greatest((after->>'totalStock')::int - (before->>'totalStock')::int, 0)), 0)::float8 AS added
    FROM audit_entries
    WHERE subject_kind = 'sale' AND subject_id = ${saleId} AND action = 'sale.restock'
      AND at > now() - make_interval(secs => ${DAY_SEC}::int)`;
  return (row?.added ?? 0) + delta > approvalStockUnits;
}

/**
 * Tells whether a refund takes two people. Adds what the same person has refunded alone within a day, in this
 * currency, so that many small refunds are no way around it. Refunds that two people agreed on don't count. Locks the
 * person until the transaction ends, so that simultaneous refunds count each other.
 * @param amountMinor in minor units of `currency`
 */
export async function refundNeedsApproval(
  tx: Db,
  userId: string,
  { amountMinor, currency }: { amountMinor: number; currency: string },
): Promise<boolean> {
  const { approvalRefundMinor } = env();
  if (approvalRefundMinor === null) return false;
  if (amountMinor > approvalRefundMinor) return true;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`refunds:${userId}`}, 0))`;
  const [row] = await tx.$queryRaw<{ sentBack: number }[]>`
    SELECT coalesce(sum((after->>'amountMinor')::bigint), 0)::float8 AS "sentBack" FROM audit_entries
    WHERE actor_id = ${userId} AND action = 'order.refund' AND after->>'currency' = ${currency}
      AND after->>'isApproved' IS NULL AND at > now() - make_interval(secs => ${DAY_SEC}::int)`;
  return (row?.sentBack ?? 0) + amountMinor > approvalRefundMinor;
}
