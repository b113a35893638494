import 'server-only';
import type { Db } from '@/lib/db/client';
import { env } from '@/lib/env';

const DAY_SEC = 86_400;

/**
 * Whether adding `delta` units takes two people: with what has been added to the sale within a day, so that many small
 * steps are no way around it. Asked with the sale's row locked.
 */
export async function stockNeedsApproval(tx: Db, saleId: string, delta: number): Promise<boolean> {
  const { approvalStockUnits } = env();
  if (approvalStockUnits === undefined || delta <= 0) return false;
  if (delta > approvalStockUnits) return true;
  const [row] = await tx.$queryRaw<{ added: number }[]>`
    SELECT coalesce(sum(greatest((after->>'totalStock')::int - (before->>'totalStock')::int, 0)), 0)::float8 AS added
    FROM audit_entries
    WHERE subject_kind = 'sale' AND subject_id = ${saleId} AND action = 'sale.restock'
      AND at > now() - make_interval(secs => ${DAY_SEC}::int)`;
  return (row?.added ?? 0) + delta > approvalStockUnits;
}

/** Whether sending so much money back takes two people. @param amountMinor in minor units of whichever currency */
export function refundNeedsApproval(amountMinor: number): boolean {
  const { approvalRefundMinor } = env();
  return approvalRefundMinor !== undefined && amountMinor > approvalRefundMinor;
}
