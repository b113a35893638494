import 'server-only';
import type { Db } from '@/lib/db/client';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';

/**
 * Writes orders, each with its payment, so that paying is one redirect. One statement for the batch and one row in
 * return: five hundred rows would cost the process more than everything else here. The price is the sale's. The time
 * to pay starts now, so that a backlog doesn't use up the shopper's time. Leaves out orders that break a unique
 * index.
 * @param orders of one sale, sorted by number.
 * @returns how many were written, their units, and when the last of them is due (epoch ms).
 * @throws if the buyer doesn't exist or an amount is out of range.
 */
export async function insertOrders(
  tx: Db,
  saleId: string,
  orders: readonly AcceptedOrder[],
  provider: string,
): Promise<{ count: number; units: number; deadlineAt: number }> {
  const [written] = await tx.$queryRaw<{ count: number; units: number; pay_by: Date | null }[]>`
    WITH written AS (
      INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status,
                          is_only_one, jti, epoch, accepted_at, pay_by)
      SELECT (i.id & 1023)::smallint, i.id, s.id, i.user_id, i.quantity, s.price_minor, s.price_minor * i.quantity,
             s.currency, 'pending_payment', s.limit_per_user = 1, i.jti, i.epoch,
             to_timestamp(i.accepted_at / 1000.0), now() + make_interval(secs => s.payment_window_sec)
      FROM unnest(${orders.map(({ orderNo }) => orderNo)}::text[]::bigint[],
                  ${orders.map(({ userId }) => userId)}::text[],
                  ${orders.map(({ quantity }) => quantity)}::int[],
                  ${orders.map(({ jti }) => jti)}::text[],
                  ${orders.map(({ epoch }) => epoch)}::int[],
                  ${orders.map(({ acceptedAt }) => acceptedAt)}::double precision[])
             AS i (id, user_id, quantity, jti, epoch, accepted_at)
      JOIN sales s ON s.id = ${saleId}
      ON CONFLICT DO NOTHING
      RETURNING shard, id, quantity, amount_minor, currency, pay_by
    ), payable AS (
      INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency)
      SELECT 'pay_' || id, shard, id, ${provider}, amount_minor, currency FROM written
    )
    SELECT count(*)::int AS count, coalesce(sum(quantity), 0)::int AS units, max(pay_by) AS pay_by FROM written`;
  return {
    count: written?.count ?? 0,
    units: written?.units ?? 0,
    deadlineAt: written?.pay_by?.getTime() ?? 0,
  };
}
