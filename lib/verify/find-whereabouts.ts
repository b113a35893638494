import 'server-only';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/numbers/slices-of';

const PAGE = 1000;

/** Finds which of `orderNos` wait in the sale's outbox (of all its slices), delivered to a relay or not. Pages through all of it. */
export async function findInOutbox(saleId: string, orderNos: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const stockId of await stocksAt(saleId)) await searchOutbox(stockId, orderNos, found);
  return found;
}

async function searchOutbox(
  stockId: string,
  orderNos: ReadonlySet<string>,
  found: Set<string>,
): Promise<void> {
  let from = '-';
  for (;;) {
    const entries = await stockRedis().xrange(keys.outbox(stockId), from, '+', 'COUNT', PAGE);
    for (const [, fields] of entries) {
      const orderNo = fields[fields.indexOf('orderNo') + 1];
      if (orderNo && orderNos.has(orderNo)) found.add(orderNo);
    }
    const last = entries.at(-1);
    if (!last || entries.length < PAGE) return;
    from = `(${last[0]}`;
  }
}

/**
 * Finds which of `orderNos` are in events that the embedded executor has accepted but not finished: the batch that
 * writes the orders, or the compensation of one that failed for good.
 * @returns null if the executor runs elsewhere and can't be searched.
 */
export async function findInExecutor(
  saleId: string,
  orderNos: ReadonlySet<string>,
): Promise<Set<string> | null> {
  const [embedded] = await db().$queryRaw<{ exists: boolean }[]>`
    SELECT EXISTS (SELECT FROM executor.functions) AS exists`;
  if (!embedded?.exists) return null;
  const found = new Set<string>();
  let after = '';
  for (;;) {
    const events = await db().$queryRaw<{ id: string; orderNos: string[] | null }[]>`
      SELECT e.id, (SELECT array_agg(split_part(o, ' ', 1)) FROM json_array_elements_text(b.batch->'orders') AS o) AS "orderNos"
        FROM executor.events e
       CROSS JOIN LATERAL (
         SELECT CASE e.name WHEN 'orders/accepted' THEN e.payload->'data'
                            ELSE e.payload->'data'->'event'->'data' END AS data) AS d
       CROSS JOIN LATERAL json_array_elements(coalesce(d.data->'batches', json_build_array(d.data))) AS b (batch)
       WHERE e.name IN ('orders/accepted', 'inngest/function.failed') AND e.id > ${after}
         AND b.batch->>'saleId' = ${saleId} AND json_typeof(b.batch->'orders') = 'array'
         AND EXISTS (SELECT FROM executor.runs r WHERE r.event_id = e.id AND r.status = 'RUNNING')
       ORDER BY e.id LIMIT ${PAGE}`;
    for (const event of events) {
      for (const orderNo of event.orderNos ?? []) if (orderNos.has(orderNo)) found.add(orderNo);
    }
    const last = events.at(-1);
    if (!last || events.length < PAGE) return found;
    after = last.id;
  }
}

/** Finds which of `orderNos` ended as dead letters, and whether their units are recorded as released. */
export async function findDeadLetters(
  saleId: string,
  orderNos: readonly string[],
): Promise<Map<string, { released: boolean }>> {
  const rows = await db().$queryRaw<{ orderNo: string; released: boolean }[]>`
    SELECT order_no::text AS "orderNo", bool_or(released_at IS NOT NULL) AS released
      FROM dead_letters
     WHERE sale_id = ${saleId} AND order_no = ANY(${orderNos}::bigint[])
     GROUP BY order_no`;
  return new Map(rows.map(({ orderNo, released }) => [orderNo, { released }]));
}
