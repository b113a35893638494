import 'server-only';
import type { Db } from '@/lib/db/client';
import { readLine } from '@/lib/line/find-line';
import { placesOf } from '@/lib/line/places';
import type { SaleNoticeFor } from '@/lib/notify/write-sale-notices';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readBuyer } from '@/lib/stock/read-buyer';
import { readStock } from '@/lib/stock/read-stock';
import { firstWaiting } from '@/lib/waitlist/settle-places';
import type { WaitingNotice } from './list-due';

/** How many are read at once. */
export const PAGE = 500;

/** Some of those to tell; `last` is the number up to which all were looked at, `isEnd` whether there are no more. */
export type WaitingPage = { people: SaleNoticeFor[]; last: number; isEnd: boolean };

type Row = { number: bigint; userId: string; orderNo: string };

/**
 * Reads the next of those who are to be told.
 * @param after the number in their list of the last who was told
 * @returns null while it can't be known who waits: units are still being given, or Redis has lost the list
 * @throws connection errors
 */
export function readWaiting(
  tx: Db,
  { saleId, kind }: WaitingNotice,
  after: number,
): Promise<WaitingPage | null> {
  if (kind === 'draw_waiting') return readNotDrawn(tx, saleId, after);
  return kind === 'line_over' ? readNotAdmitted(tx, saleId, after) : readNotServed(tx, saleId, after);
}

/** Those who were drawn too late to win, and stand in line for units that come back. */
async function readNotDrawn(tx: Db, saleId: string, after: number): Promise<WaitingPage | null> {
  const [first, stock] = await Promise.all([firstWaiting(saleId), readStock(saleId)]);
  if (first === null || !stock || stock.available > 0) return null;
  const rows = await tx.$queryRaw<Row[]>`
    SELECT number, user_id AS "userId" FROM waitlist_entries
    WHERE sale_id = ${saleId} AND number > ${after} AND number >= ${first} AND jti LIKE 'draw\\_%'
      AND left_at IS NULL AND given_at IS NULL AND passed_at IS NULL
    ORDER BY number LIMIT ${PAGE}`;
  const redis = stockRedis();
  const ranks = await Promise.all(rows.map(({ userId }) => redis.zrank(keys.waitlist(saleId), userId)));
  if (rows.length > 0 && ranks.every((rank) => rank === null)) return null;
  // Whoever stands there no longer has got a unit, or left, since the list was read.
  const people = rows.flatMap(({ userId }, at) => {
    const rank = ranks[at];
    return typeof rank === 'number' ? [{ userId, place: rank + 1 }] : [];
  });
  return toPage(rows, people, after);
}

/** Those in a waiting room whose turn never came, and those in a draw that never took place. */
async function readNotAdmitted(tx: Db, saleId: string, after: number): Promise<WaitingPage | null> {
  const line = await readLine(saleId);
  if (!line || line.isEnlisted) return { people: [], last: after, isEnd: true };
  const places = await placesOf(line);
  const rows = await tx.$queryRaw<Row[]>`
    SELECT e.number::bigint AS number, e.user_id AS "userId" FROM line_entries e
    WHERE e.sale_id = ${saleId} AND e.number > ${after} AND e.left_at IS NULL AND e.entered_at IS NULL
      AND NOT EXISTS (SELECT FROM waitlist_entries w
                      WHERE w.user_id = e.user_id AND w.sale_id = e.sale_id AND w.given_at IS NOT NULL)
    ORDER BY e.number LIMIT ${PAGE}`;
  const people = rows
    .filter(({ number }) => !places || places.placeOf(Number(number)) >= line.admitted)
    .map(({ userId }) => ({ userId, place: null }));
  return toPage(rows, people, after);
}

/** Those on a waitlist for whom no unit came back, drawn ones too. */
async function readNotServed(tx: Db, saleId: string, after: number): Promise<WaitingPage> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT w.number, w.user_id AS "userId", w.order_no::text AS "orderNo" FROM waitlist_entries w
    WHERE w.sale_id = ${saleId} AND w.number > ${after}
      AND w.left_at IS NULL AND w.given_at IS NULL AND w.passed_at IS NULL
      AND NOT EXISTS (SELECT FROM orders o WHERE o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no)
    ORDER BY w.number LIMIT ${PAGE}`;
  // An accepted purchase may still be on its way to become an order.
  const records = await Promise.all(rows.map(({ userId }) => readBuyer(saleId, userId)));
  const people = rows
    .filter(({ orderNo }, at) => !records[at]?.some((record) => record.orderNo === orderNo))
    .map(({ userId }) => ({ userId, place: null }));
  return toPage(rows, people, after);
}

const toPage = (rows: readonly Row[], people: SaleNoticeFor[], after: number): WaitingPage => ({
  people,
  last: Number(rows.at(-1)?.number ?? after),
  isEnd: rows.length < PAGE,
});
