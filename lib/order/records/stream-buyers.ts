import 'server-only';
import type { Db } from '@/lib/db/client';
import type { BuyerEntry } from '@/lib/stock/load-stock';

const PAGE = 5_000;

/**
 * Streams every buyer of a sale with all orders, for a rebuild of the stock. Ended orders count as released: their
 * tokens must get their first answer again. A paid order that the sale's counters hold is held here, too. Purchases
 * whose buyer's account is gone come from their dead letters. One cursor: 100,000 orders take about a second.
 * @param tx a transaction; nothing else may use the cursor's name in it.
 */
export async function* streamBuyers(tx: Db, saleId: string): AsyncGenerator<BuyerEntry> {
  // DECLARE takes no parameters. A setting of this transaction carries the id without quoting it into SQL.
  await tx.$queryRaw`SELECT set_config('seckill.rebuilt_sale', ${saleId}, true)`;
  await tx.$executeRaw`
    DECLARE buyers_to_load NO SCROLL CURSOR FOR
    SELECT user_id AS "userId",
           json_agg(json_build_object('jti', jti, 'orderNo', id::text, 'quantity', quantity, 'variant', variant, 'state', state)
                    ORDER BY id) AS records
      FROM (SELECT user_id, jti, id, quantity, variant,
                   CASE WHEN status = 'pending_payment' THEN 'held'
                        WHEN status <> 'paid' THEN 'released'
                        WHEN stock_settled_at IS NOT NULL
                          OR EXISTS (SELECT FROM processed_messages
                                      WHERE consumer = 'confirm-paid' AND message_id = orders.id::text) THEN 'sold'
                        ELSE 'held' END AS state
              FROM orders
             WHERE sale_id = current_setting('seckill.rebuilt_sale')
             UNION ALL
            SELECT payload->>'userId', payload->>'jti', order_no, (payload->>'quantity')::int,
                   coalesce((payload->>'variant')::int, 0), 'released'
              FROM dead_letters
             -- Under its own number: the whole purchase as it was accepted, not an entry that nobody could read.
             WHERE sale_id = current_setting('seckill.rebuilt_sale')
               AND consumer IN ('create-orders', 'relay') AND message_id = order_no::text
               AND NOT EXISTS (SELECT FROM orders o
                                WHERE o.shard = (order_no & 1023)::smallint
                                  AND (o.id = order_no OR o.jti = payload->>'jti'))) AS bought
     GROUP BY user_id`;
  for (;;) {
    const page = await tx.$queryRawUnsafe<BuyerEntry[]>(`FETCH ${PAGE} FROM buyers_to_load`);
    if (page.length === 0) break;
    yield* page;
  }
  await tx.$executeRaw`CLOSE buyers_to_load`;
}
