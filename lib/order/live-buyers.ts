import 'server-only';
import type { Db } from '@/lib/db/client';

const BATCH_SIZE = 1000;

type Row = {
  userId: string;
  records: { jti: string; orderNo: string; units: number; state: 'held' | 'sold' }[];
};

/**
 * The buyers of a sale with their unpaid and paid orders, in the form a rebuild of the stock takes; by pages of 1,000
 * users, so that memory stays bounded. A paid order whose confirmation has not reached the sale's counters still counts
 * as held there, so it is held here as well.
 */
export async function* liveBuyers(tx: Db, saleId: string): AsyncGenerator<Row> {
  let afterUser = '';
  for (;;) {
    const rows = await tx.$queryRaw<Row[]>`
      SELECT user_id AS "userId",
             json_agg(json_build_object(
               'jti', jti, 'orderNo', id::text, 'units', quantity,
               'state', CASE WHEN status = 'paid' AND EXISTS (
                            SELECT FROM processed_messages
                             WHERE consumer = 'confirm-paid' AND message_id = orders.id::text)
                          THEN 'sold' ELSE 'held' END
             ) ORDER BY id) AS records
        FROM orders
       WHERE sale_id = ${saleId} AND status IN ('pending_payment', 'paid') AND user_id > ${afterUser}
       GROUP BY user_id
       ORDER BY user_id
       LIMIT ${BATCH_SIZE}`;
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    afterUser = last.userId;
  }
}
