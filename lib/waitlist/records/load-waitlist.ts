import 'server-only';
import type { Db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { formatWaiting } from './parse-place';
import { scoreOf } from './score';

const PAGE = 2_000;

type Row = { number: number; userId: string; jti: string; orderNo: string; variant: number };

/**
 * Writes into Redis who waits, and for which variant, as Postgres knows it: the latest place of each user, unless it was left or its purchase is an
 * order or on its way to become one. For a rebuild, while the sale is not loaded: nobody joins meanwhile.
 * @param onTheirWay numbers of orders that Postgres does not have yet
 * @returns the highest number that was ever given. @throws connection errors
 */
export async function loadWaitlist(tx: Db, saleId: string, onTheirWay: ReadonlySet<string>): Promise<number> {
  const redis = stockRedis();
  const [waitlist, places] = [keys.waitlist(saleId), keys.places(saleId)];
  await redis.unlink(waitlist, places);
  for (let after = 0; ; ) {
    const page = await tx.$queryRaw<Row[]>`
      SELECT w.number::float8 AS number, w.user_id AS "userId", w.jti, w.order_no::text AS "orderNo", w.variant
      FROM waitlist_entries w
      WHERE w.sale_id = ${saleId} AND w.number > ${after} AND w.left_at IS NULL AND w.given_at IS NULL AND w.passed_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no)
        AND NOT EXISTS (SELECT 1 FROM dead_letters d WHERE d.sale_id = w.sale_id AND d.order_no = w.order_no)
        AND NOT EXISTS (SELECT 1 FROM waitlist_entries later
                        WHERE later.user_id = w.user_id AND later.sale_id = w.sale_id AND later.number > w.number)
      ORDER BY w.number LIMIT ${PAGE}`;
    const waiting = page.filter(({ orderNo }) => !onTheirWay.has(orderNo));
    if (waiting.length > 0) {
      await redis.hset(places, ...waiting.flatMap((place) => [place.userId, formatWaiting(place)]));
      await redis.zadd(
        waitlist,
        ...waiting.flatMap(({ variant, number, userId }) => [scoreOf(variant, number), userId]),
      );
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.number;
  }
  const [highest] = await tx.$queryRaw<{ number: bigint | null }[]>`
    SELECT max(number) AS number FROM waitlist_entries WHERE sale_id = ${saleId}`;
  return Number(highest?.number ?? 0);
}
