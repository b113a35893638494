import { findUserId } from '@/lib/account/find-user-id';
import type { OrderFilter } from '@/lib/contract/shapes/order';
import { WRITTEN_STATUSES } from '@/lib/contract/words/order';
import { orderKey } from '@/lib/ids/order-key';
import { HIGHEST_ORDER_NO, lowestOrderNoAt, parseOrderNo } from '@/lib/ids/order-no';
import { SHARD_COUNT, shardOf } from '@/lib/ids/shard-of';
import { Prisma, type PrismaClient } from '@/prisma/generated/client';
import { selectByStand, standsAt } from './delivery-filter';

/** From so many sales on, a page for all shops is read by shard: a sale costs five statuses in sixteen partitions. */
const MANY_SALES = 50;
/** The same for single shops, whose shards hold others' orders, too. */
const MANY_OWN_SALES = 1_000;
/** The largest page that is read by shard: each shard may have to give all its rows. */
const MOST_BY_SHARD = 101;

/**
 * Builds a query for the `shard` and `id` of matching orders of some shops, newest first. An order number
 * contains its time, so it alone sorts and bounds. One user's orders are in one partition. All others come from an
 * index: per sale and status, or per shard for a page of many sales.
 * @param client that will run the query
 * @param shops null: all there are. @param below only orders with a lower number (the cursor). @param limit how many at most
 * @returns null if there can be none.
 */
export async function selectOrders(
  client: PrismaClient,
  shops: readonly string[] | null,
  filter: OrderFilter,
  { below, limit }: { below?: bigint; limit: number },
): Promise<Prisma.Sql | null> {
  const { saleId, status, delivery, from, to } = filter;
  const low = from === undefined ? 0n : lowestOrderNoAt(from);
  const high = [below, to === undefined ? undefined : lowestOrderNoAt(to)].reduce<bigint>(
    (least, bound) => (bound !== undefined && bound < least ? bound : least),
    HIGHEST_ORDER_NO,
  );
  const sales = Prisma.sql`
    SELECT id FROM sales WHERE (${saleId ?? null}::text IS NULL OR id = ${saleId ?? null})
      AND (${shops === null} OR merchant_id = ANY (${shops ?? []}::text[]))`;
  const inTime = Prisma.sql`o.id >= ${low}::bigint AND o.id < ${high}::bigint`;

  const one = filter.orderNo === undefined ? undefined : parseOrderNo(filter.orderNo);
  const userId = filter.user === undefined ? undefined : await findUserId(filter.user, client);
  if (one === null || userId === null) return null;
  if (one !== undefined || userId !== undefined) {
    const key = one === undefined ? undefined : orderKey(one);
    const shard = key?.shard ?? shardOf(userId ?? '');
    return Prisma.sql`
      SELECT o.shard, o.id FROM orders o
      WHERE o.shard = ${shard} AND ${inTime} AND o.sale_id IN (${sales})
        AND (${key?.id ?? null}::bigint IS NULL OR o.id = ${key?.id ?? null}::bigint)
        AND (${userId ?? null}::text IS NULL OR o.user_id = ${userId ?? null})
        AND (${status ?? null}::text IS NULL OR o.status = ${status ?? null})
        AND ${delivery === undefined ? Prisma.sql`true` : standsAt(delivery)}
      ORDER BY o.id DESC LIMIT ${limit}`;
  }
  if (delivery !== undefined) {
    const orders = status === undefined ? inTime : Prisma.sql`${inTime} AND o.status = ${status}`;
    return selectByStand(delivery, { sales, orders, limit });
  }
  if (
    saleId === undefined &&
    status === undefined &&
    limit <= MOST_BY_SHARD &&
    (await hasManySales(client, shops === null ? MANY_SALES : MANY_OWN_SALES, sales))
  )
    return Prisma.sql`
      SELECT found.shard, found.id FROM generate_series(0, ${SHARD_COUNT - 1}::int) AS s (shard), LATERAL (
        SELECT o.shard, o.id FROM orders o
        WHERE o.shard = s.shard::smallint AND ${inTime} AND (${shops === null} OR o.sale_id IN (${sales}))
        ORDER BY o.id DESC LIMIT ${limit}) found
      ORDER BY found.id DESC LIMIT ${limit}`;
  const statuses = status === undefined ? [...WRITTEN_STATUSES] : [status];
  return Prisma.sql`
    SELECT found.shard, found.id FROM (${sales}) s, unnest(${statuses}::text[]) AS wanted (status), LATERAL (
      SELECT o.shard, o.id FROM orders o
      WHERE o.sale_id = s.id AND o.status = wanted.status AND ${inTime}
      ORDER BY o.id DESC LIMIT ${limit}) found
    ORDER BY found.id DESC LIMIT ${limit}`;
}

/** Tells whether reading these sales one by one would cost more than reading all shards. */
async function hasManySales(client: PrismaClient, many: number, sales: Prisma.Sql): Promise<boolean> {
  const [row] = await client.$queryRaw<{ isMany: boolean }[]>`
    SELECT count(*) = ${many}::int AS "isMany" FROM (${sales} LIMIT ${many}) AS first`;
  return row?.isMany ?? false;
}
