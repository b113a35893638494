import 'server-only';
import { db } from '@/lib/db/client';
import type { Findings } from './findings';
import type { SaleAccount } from './types';

const MAX_ROWS = 1000;

/**
 * Invariants 3, 5 and 6 of a sale whose stock lives in Postgres: checks that the deducted units are those of its live
 * orders, and that each order has the payment that its transaction writes. (Failed orders were never more than a
 * record.)
 */
export async function checkWrittenTogether(sale: SaleAccount, findings: Findings): Promise<void> {
  const { saleId, held, sold, liveUnits } = sale;
  if (held + sold !== liveUnits) {
    findings.add(3, 'deducted_differs', { units: held + sold, live: liveUnits });
  }
  if (held + sold > liveUnits) {
    findings.add(6, 'deducted_for_nothing', { units: held + sold - liveUnits });
  }
  const rows = await db().$queryRaw<{ orderNo: string }[]>`
    SELECT o.id::text AS "orderNo" FROM orders o
     WHERE o.sale_id = ${saleId} AND o.status <> 'failed'
       AND NOT EXISTS (SELECT FROM payments p WHERE p.shard = o.shard AND p.order_id = o.id)
     LIMIT ${MAX_ROWS}`;
  for (const { orderNo } of rows) findings.add(5, 'not_written_together', { orderNo });
}
