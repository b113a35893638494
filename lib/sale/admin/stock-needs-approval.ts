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
