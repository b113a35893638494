import { db } from '@/lib/db/client';
import { randomText } from '@/lib/ids/new-id';
import { createOrderNoSource, WORKER_COUNT } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { createLoadUsers, loadUserId } from '@/lib/load-test/create-load-users';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { BenchSale } from '../../stack/sales';

const CHUNK = 10_000;
/** The statuses of ten orders in a row. */
const STATUSES = [
  ...Array.from({ length: 7 }, () => 'paid' as const),
  ...Array.from({ length: 2 }, () => 'cancelled' as const),
  'pending_payment' as const,
];
const STATE = { paid: 's', cancelled: 'r', pending_payment: 'h' } as const;

/** The last number but one: `stack/fill.ts` has the last. */
const source = createOrderNoSource({ workerId: WORKER_COUNT - 2 });

type Written = { orderNo: string; userId: string; jti: string; status: keyof typeof STATE };

/**
 * Makes load-test users `from` … `to` buyers of one unit each: in Redis, and in Postgres with all that an order leaves
 * behind (payment, callback, the provider's books, history, notice, points, sent messages, marks). Seven of ten have
 * paid, two ran out of time, one is still to pay. All books agree.
 * @param days over how many days up to now the orders are spread
 */
export async function fillOrders(
  { saleId, epoch }: BenchSale,
  { from, to, days }: { from: number; to: number; days: number },
): Promise<void> {
  await createLoadUsers(to);
  for (let first = from; first <= to; first += CHUNK) {
    const count = Math.min(CHUNK, to - first + 1);
    const orders = Array.from({ length: count }, (_, n): Written => {
      const userId = loadUserId(first + n);
      const orderNo = String(source.next(shardOf(userId)));
      const status = STATUSES[(first + n) % STATUSES.length] ?? 'paid';
      return { orderNo, userId, jti: `jti_${randomText(26)}`, status };
    });
    // As far back as the first order of this chunk lies, within all days.
    const daysAgo = (days * (to - first)) / Math.max(1, to - from);
    await Promise.all([writeRows(saleId, epoch, orders, daysAgo), writeRecords(saleId, orders)]);
  }
}

async function writeRecords(saleId: string, orders: readonly Written[]): Promise<void> {
  const records = orders.flatMap(({ userId, jti, orderNo, status }) => [
    userId,
    `${jti},${orderNo},1,${STATE[status]}`,
  ]);
  const units = (wanted: Written['status']) => orders.filter(({ status }) => status === wanted).length;
  const [held, sold] = [units('pending_payment'), units('paid')];
  await stockRedis()
    .multi()
    .hset(keys.buyers(saleId), ...records)
    .hincrby(keys.sale(saleId), 'available', -held - sold)
    .hincrby(keys.sale(saleId), 'held', held)
    .hincrby(keys.sale(saleId), 'sold', sold)
    .exec();
}

async function writeRows(
  saleId: string,
  epoch: number,
  orders: readonly Written[],
  daysAgo: number,
): Promise<void> {
  await db().$executeRaw`
    WITH i AS MATERIALIZED (
      SELECT *, now() - make_interval(secs => ${daysAgo}::double precision * 86400) AS at
      FROM unnest(${orders.map(({ orderNo }) => orderNo)}::text[]::bigint[],
                  ${orders.map(({ userId }) => userId)}::text[], ${orders.map(({ jti }) => jti)}::text[],
                  ${orders.map(({ status }) => status)}::text[]) AS i (id, user_id, jti, status)
    ), written AS (
      INSERT INTO orders (shard, id, sale_id, user_id, quantity, unit_price_minor, amount_minor, currency, status,
                          is_only_one, jti, epoch, accepted_at, pay_by, paid_at, cancelled_at, end_reason,
                          stock_settled_at, created_at, updated_at)
      SELECT (i.id & 1023)::smallint, i.id, s.id, i.user_id, 1, s.price_minor, s.price_minor, s.currency, i.status, true,
             i.jti, ${epoch}::int, i.at,
             CASE i.status WHEN 'pending_payment' THEN now() + interval '7 days' ELSE i.at + interval '15 minutes' END,
             CASE i.status WHEN 'paid' THEN i.at END, CASE i.status WHEN 'cancelled' THEN i.at END,
             CASE i.status WHEN 'cancelled' THEN 'expired' END,
             CASE WHEN i.status <> 'pending_payment' THEN i.at END, i.at, i.at
      FROM i JOIN sales s ON s.id = ${saleId}
      RETURNING shard, id, user_id, amount_minor, currency, status, created_at AS at
    ), payable AS (
      INSERT INTO payments (id, shard, order_id, provider, amount_minor, currency, status, settled_at, opened_at)
      SELECT 'pay_' || id, shard, id, 'sandbox', amount_minor, currency,
             CASE status WHEN 'paid' THEN 'succeeded' ELSE 'pending' END,
             CASE status WHEN 'paid' THEN at END, CASE status WHEN 'paid' THEN at END FROM written
    ), history AS (
      INSERT INTO order_events (shard, order_id, at, actor_kind, from_status, to_status, cause)
      SELECT shard, id, at, 'system', 'pending_payment', status, CASE status WHEN 'paid' THEN 'paid' ELSE 'expired' END
      FROM written WHERE status <> 'pending_payment'
    ), told AS (
      INSERT INTO notifications (user_id, kind, order_id, message_id, created_at)
      SELECT user_id, 'order_paid', id, 'bench ' || id, at FROM written WHERE status = 'paid'
    ), points AS (
      INSERT INTO points_entries (user_id, order_id, kind, points, created_at)
      SELECT user_id, id, 'earned', 1, at FROM written WHERE status = 'paid'
    ), sent AS (
      INSERT INTO outgoing_messages (topic, payload, sent_at, created_at)
      SELECT topic, jsonb_build_object('saleId', ${saleId}::text, 'orderNo', id::text), at, at
      FROM written, unnest(ARRAY['orders/paid', 'points']) AS topic WHERE status = 'paid'
    ), marked AS (
      INSERT INTO processed_messages (consumer, message_id, processed_at)
      SELECT consumer, id::text, at FROM written, unnest(ARRAY['create-orders', 'confirm-paid']) AS consumer
      WHERE consumer = 'create-orders' OR status = 'paid'
    ), books AS (
      INSERT INTO sandbox_payments (payment_id, outcome, amount_minor, currency, decided_at)
      SELECT 'pay_' || id, 'succeeded', amount_minor, currency, at FROM written WHERE status = 'paid'
    )
    UPDATE sales SET held_stock = held_stock + n.held, sold_stock = sold_stock + n.sold
    FROM (SELECT count(*) FILTER (WHERE status = 'pending_payment') AS held,
                 count(*) FILTER (WHERE status = 'paid') AS sold FROM i) AS n
    WHERE id = ${saleId}`;
  await db().$executeRaw`
    INSERT INTO payment_events (provider, webhook_id, payment_id, type, payload, outcome, received_at)
    SELECT 'sandbox', 'bench ' || p.id, p.id, 'payment.succeeded', '{}', 'applied', p.settled_at
    FROM unnest(${orders.map(({ orderNo }) => `pay_${orderNo}`)}::text[]) AS i (id) JOIN payments p ON p.id = i.id
    WHERE p.status = 'succeeded'`;
}
