import 'server-only';
import { MAX_QUANTITY } from '@/lib/contract/words/purchase';
import type { Db } from '@/lib/db/client';
import { cutText } from '@/lib/human-text';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { markProcessed } from '@/lib/outbox/mark-processed';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { CREATE_ORDERS } from './consumer-names';
import { inputSql, ORDER_COLUMNS, ORDER_VALUES } from './insert-sql';
import type { EndReason } from './types';

const MAX_ERROR_LENGTH = 500;

type FailedOrder = {
  saleId: string;
  order: AcceptedOrder;
  reason: EndReason;
  error: string;
  /** The part that gave up: `create-orders` or `relay`. */
  consumer: string;
  attempts?: number;
};

/**
 * Records an accepted purchase that can't become an order: always as a dead letter, and as an order with status
 * `failed` if its buyer and sale exist, so that the shopper hears of it. A later delivery of the same purchase
 * changes nothing.
 * @returns false if the purchase was already dealt with, as an order or as a failure.
 */
export async function recordFailedOrder(tx: Db, failed: FailedOrder): Promise<boolean> {
  const { saleId, order, reason, error, consumer, attempts } = failed;
  const isNew = await markProcessed(tx, CREATE_ORDERS, [order.orderNo]);
  if (isNew.size === 0) return false;
  await tx.$executeRaw`
    WITH failed AS (
      INSERT INTO orders (${ORDER_COLUMNS}, status, pay_by, end_reason)
      SELECT ${ORDER_VALUES}, 'failed', now(), ${reason}
      FROM ${inputSql([{ ...order, saleId }])}
      JOIN sales s ON s.id = i.sale_id JOIN users u ON u.id = i.user_id
      WHERE i.quantity <= ${MAX_QUANTITY} AND s.price_minor::bigint * i.quantity <= 2147483647
      ON CONFLICT DO NOTHING
      RETURNING shard, id
    )
    INSERT INTO order_events (shard, order_id, actor_kind, actor_id, from_status, to_status, cause, data)
    SELECT shard, id, 'system', ${consumer}, 'queued', 'failed', 'failed',
           jsonb_build_object('reason', ${reason}::text, 'error', ${cutText(error, MAX_ERROR_LENGTH)}::text)
    FROM failed`;
  await recordDeadLetter(
    {
      consumer,
      messageId: order.orderNo,
      saleId,
      orderNo: BigInt(order.orderNo),
      payload: { saleId, ...order },
      error,
      attempts,
    },
    tx,
  );
  return true;
}
