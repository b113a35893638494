import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { readStock } from '@/lib/stock/read-stock';

const POLL_MS = 500;

/**
 * Waits until a sale has come to rest: no accepted purchase, unpaid order, payment outcome, question to the provider or
 * message is still on its way.
 * @param pendingCallbacks how many callbacks the provider has left
 * @returns what is still open after `timeoutMs`; empty when everything has come to rest.
 */
export async function drain(
  saleId: string,
  pendingCallbacks: () => number,
  timeoutMs: number,
): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const open = await findOpen(saleId, pendingCallbacks).catch((error: unknown) => [String(error)]);
    if (open.length === 0 || Date.now() > deadline) return open;
    await sleep(POLL_MS);
  }
}

async function findOpen(saleId: string, pendingCallbacks: () => number): Promise<string[]> {
  const { depth: waiting } = await readOutboxDepth(saleId);
  const stock = await readStock(saleId);
  const [row] = await db().$queryRaw<Record<string, number>[]>`
    SELECT (SELECT count(*)::int FROM orders WHERE sale_id = ${saleId} AND status = 'pending_payment') AS "orders to be paid",
           (SELECT count(*)::int FROM orders WHERE sale_id = ${saleId} AND status <> 'refunded'
               AND stock_settled_at IS NULL AND status <> 'pending_payment') AS "outcomes not in Redis yet",
           (SELECT count(*)::int FROM payments p JOIN orders o ON o.shard = p.shard AND o.id = p.order_id
             WHERE o.sale_id = ${saleId} AND p.status = 'refund_due') AS "refunds due",
           (SELECT count(*)::int FROM refund_parts WHERE sale_id = ${saleId} AND sent_at IS NULL) AS "parts of refunds due",
           (SELECT count(*)::int FROM payments p JOIN orders o ON o.shard = p.shard AND o.id = p.order_id
             LEFT JOIN sandbox_payments s ON s.payment_id = p.id AND s.outcome = 'succeeded'
             WHERE o.sale_id = ${saleId} AND (p.next_query_at <= now() OR (s.payment_id IS NOT NULL AND p.status IN ('pending', 'failed')))) AS "payments to ask the provider about",
           (SELECT count(*)::int FROM dead_letters WHERE sale_id = ${saleId} AND released_at IS NULL
               AND order_no IS NOT NULL AND consumer IN ('create-orders', 'relay')) AS "dead letters with units",
           (SELECT count(*)::int FROM sale_parcels WHERE sale_id = ${saleId}) AS "parcels between slices",
           (SELECT count(*)::int FROM outgoing_messages WHERE sent_at IS NULL) AS "messages not sent",
           (SELECT abs(total_stock - ${stock?.total ?? 0}::int) FROM sales WHERE id = ${saleId}) AS "units the stores differ by"`;
  return Object.entries({
    'callbacks not taken': pendingCallbacks(),
    'outbox entries': waiting,
    'units held in Redis': stock?.held ?? 0,
    ...row,
  }).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
}
