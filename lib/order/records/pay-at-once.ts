import 'server-only';
import { db } from '@/lib/db/client';
import { orderKey } from '@/lib/ids/order-key';
import type { NewMessage } from '@/lib/outbox/put-message';

/** A provider's callback, with its body for the record. Money in minor units. */
type Callback = {
  webhookId: string;
  type: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
  payload: Record<string, unknown>;
};

/**
 * Books the usual callback in one statement: the exact amount has come for an order that waits for it. As a transaction
 * it took eight statements, each a trip between two busy processes while the payment's row was locked. Does nothing if
 * anything does not fit: then the transaction finds out why. Lock order: payment, order.
 * @param event that says the payment succeeded
 * @param messages what to tell of the paid order; the sale is filled in
 * @returns false if the payment is not open, is of another order, or is about other money: then nothing has changed.
 * @throws a data error (`isDataError`) if the order had ended, or the callback was recorded before: then nothing has
 *   changed either.
 */
export async function payAtOnce(
  provider: string,
  event: Callback,
  orderNo: string,
  messages: readonly NewMessage[],
): Promise<boolean> {
  const { webhookId, paymentId, type, amountMinor, currency, payload } = event;
  const { shard, id } = orderKey(orderNo);
  // Two errors undo everything: a division by zero if the order was not paid with the payment, and the primary key of
  // the callbacks if this one was recorded before.
  const rows = await db().$queryRaw<{ is_paid: boolean }[]>`
    WITH payment AS (
      UPDATE payments
      SET status = 'succeeded', version = version + 1, updated_at = now(), settled_at = coalesce(settled_at, now()),
          refunded_at = NULL, next_query_at = CASE WHEN next_query_at <= now() THEN next_query_at END
      WHERE shard = ${shard} AND order_id = ${id} AND id = ${paymentId} AND provider = ${provider}
        AND status IN ('pending', 'failed') AND amount_minor = ${amountMinor} AND currency = ${currency}
      RETURNING id
    ), paid AS (
      UPDATE orders SET status = 'paid', paid_at = now(), version = version + 1, updated_at = now()
      WHERE shard = ${shard} AND id = ${id} AND status = 'pending_payment' AND amount_minor = ${amountMinor}
        AND currency = ${currency} AND EXISTS (SELECT FROM payment)
      RETURNING shard, id, sale_id, amount_minor, currency
    ), noted AS (
      INSERT INTO order_events (shard, order_id, actor_kind, actor_id, from_status, to_status, cause, data)
      SELECT shard, id, 'provider', ${provider}, 'pending_payment', 'paid', 'paid',
             jsonb_build_object('amountMinor', amount_minor, 'currency', currency)
      FROM paid
    ), told AS (
      INSERT INTO outgoing_messages (topic, payload)
      SELECT m.topic, m.payload::jsonb || jsonb_build_object('saleId', paid.sale_id)
      FROM paid, unnest(${messages.map(({ topic }) => topic)}::text[],
                        ${messages.map((message) => JSON.stringify(message.payload))}::text[]) AS m (topic, payload)
    ), recorded AS (
      INSERT INTO payment_events (provider, webhook_id, payment_id, type, payload, outcome)
      SELECT ${provider}, ${webhookId}, ${paymentId}, ${type}, ${JSON.stringify(payload)}::jsonb, 'applied' FROM paid
    )
    SELECT EXISTS (SELECT FROM paid) AS is_paid,
           1 / ((SELECT count(*) FROM payment) = (SELECT count(*) FROM paid))::int AS is_whole`;
  return rows[0]?.is_paid ?? false;
}
