import 'server-only';
import type { Db } from '@/lib/db/client';
import { type AcceptedOrder, acceptedOrderSchema, fromLine } from './accepted-order';

/**
 * Reads the purchases of a sale that the embedded executor has taken and not finished: neither written as orders nor
 * given up, as far as it knows. Null if the executor is elsewhere, where its state can't be read.
 */
export async function readSent(tx: Db, saleId: string): Promise<AcceptedOrder[] | null> {
  const [embedded] = await tx.$queryRaw<{ exists: boolean }[]>`
    SELECT EXISTS (SELECT FROM executor.functions) AS exists`;
  if (!embedded?.exists) return null;
  const rows = await tx.$queryRaw<{ orders: unknown[] }[]>`
    SELECT b.batch->'orders' AS orders
      FROM executor.events e
     CROSS JOIN LATERAL (
       SELECT CASE e.name WHEN 'orders/accepted' THEN e.payload->'data'
                          ELSE e.payload->'data'->'event'->'data' END AS data) AS d
     CROSS JOIN LATERAL json_array_elements(coalesce(d.data->'batches', json_build_array(d.data))) AS b (batch)
     WHERE e.name IN ('orders/accepted', 'inngest/function.failed')
       AND b.batch->>'saleId' = ${saleId} AND json_typeof(b.batch->'orders') = 'array'
       AND EXISTS (SELECT FROM executor.runs r WHERE r.event_id = e.id AND r.status = 'RUNNING')
     ORDER BY e.id`;
  return rows.flatMap(({ orders }) =>
    orders.flatMap((order) => {
      const parsed = acceptedOrderSchema.safeParse(typeof order === 'string' ? fromLine(order) : order);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}
