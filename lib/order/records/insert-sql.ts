import 'server-only';
import { saleIdsOf } from '@/lib/ids/sale-ids-of';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { Prisma } from '@/prisma/generated/client';
import { type Takers, takerSql } from './taker-sql';

/** Most shoppers pay within this time, and are told that they paid. */
const TELL_AFTER_SEC = 60;

/** An accepted purchase with the sale it was made in. */
export type SaleOrder = AcceptedOrder & { saleId: string };

/** The input of a statement that inserts orders, a row `i` for each. @param orders sorted by number */
export const inputSql = (orders: readonly SaleOrder[]) => Prisma.sql`
  unnest(${orders.map(({ saleId }) => saleId)}::text[],
         ${orders.map(({ orderNo }) => orderNo)}::text[]::bigint[],
         ${orders.map(({ userId }) => userId)}::text[],
         ${orders.map(({ quantity }) => quantity)}::int[],
         ${orders.map(({ jti }) => jti)}::text[],
         ${orders.map(({ epoch }) => epoch)}::int[],
         ${orders.map(({ acceptedAt }) => acceptedAt)}::double precision[],
         ${orders.map(({ variant }) => variant ?? 0)}::smallint[])
    AS i (sale_id, id, user_id, quantity, jti, epoch, accepted_at, variant)`;

/** The columns that a new order has whatever becomes of it, and their values from the input `i` and the sale `s`. */
export const ORDER_COLUMNS = Prisma.sql`shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency,
  is_only_one, jti, epoch, accepted_at, variant`;
export const ORDER_VALUES = Prisma.sql`(i.id & 1023)::smallint, i.id, s.id, i.user_id, i.quantity, s.price_minor,
  s.price_minor * i.quantity, s.currency, s.limit_per_user = 1, i.jti, i.epoch, to_timestamp(i.accepted_at / 1000.0),
  i.variant`;

/**
 * Builds the parts of a statement that insert orders (`written`), each with its payment, and one message that names
 * all of them. The price is the sale's. The time to pay starts now, so that a backlog doesn't use up the shopper's
 * time. Leaves out orders that break a unique index, and those of sales that don't exist.
 * @param orders sorted by number.
 * @param which a condition on the rows `i` of the input.
 */
export const insertSql = (
  orders: readonly SaleOrder[],
  takers: Takers,
  which = Prisma.sql`true`,
) => Prisma.sql`
    written AS (
      INSERT INTO orders (${ORDER_COLUMNS}, status, pay_by)
      SELECT ${ORDER_VALUES}, 'pending_payment', now() + make_interval(secs => s.payment_window_sec)
      FROM ${inputSql(orders)}
      JOIN sales s ON s.id = i.sale_id AND s.id = ANY (${saleIdsOf(orders)}::text[])
      WHERE ${which}
      ON CONFLICT DO NOTHING
      RETURNING shard, id, sale_id, quantity, variant, amount_minor, currency, accepted_at, pay_by
    ), payable AS (
      INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency)
      SELECT 'pay_' || w.id, w.shard, w.id, ${takerSql(takers)}, w.amount_minor, w.currency
      FROM written w JOIN sales s ON s.id = w.sale_id AND s.id = ANY (${saleIdsOf(orders)}::text[])
    ), received AS (
      INSERT INTO outgoing_messages (topic, payload, next_attempt_at)
      SELECT 'orders/received', jsonb_build_object('orderNos', jsonb_agg(id::text)), now() + make_interval(secs => ${TELL_AFTER_SEC}::int)
      FROM written HAVING count(*) > 0
    )`;
