import 'server-only';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readFree } from '@/lib/waitlist/records/read-free';
import { readPlaces } from '@/lib/waitlist/records/read-places';
import { fromScore, scoresOf } from '@/lib/waitlist/records/score';
import { addLasting, type Findings } from './findings';

const PAGE = 2_000;
/** As many faults of one kind as are told of. */
const EXAMPLES = 5;

type Open = { number: number; userId: string; variant: number };
type Given = Open & { orderNo: string; ordered: number };

/**
 * Invariant 6 for the waitlist, by variant: Redis knows every place, once, in its order; nobody who waits was passed over; no unit is
 * free while somebody waits; each got the wish. A difference counts if it stays for `settleMs`; idle units count
 * after the grace that follows a loss of Redis. Says nothing of a sale that is over.
 * @throws connection errors
 */
export const checkWaitlist = (saleId: string, settleMs: number, findings: Findings): Promise<void> =>
  addLasting(findings, settleMs, (found) => lookOnce(saleId, found));

async function lookOnce(saleId: string, found: Findings): Promise<void> {
  const [sale] = await db().$queryRaw<{ paused: boolean; hasStarted: boolean; variants: number }[]>`
    SELECT paused, starts_at <= now() AS "hasStarted",
           (SELECT count(*)::int FROM sale_variants v WHERE v.sale_id = sales.id) AS variants FROM sales
    WHERE id = ${saleId} AND waitlist AND status = 'published' AND ends_at > now()`;
  if (!sale) return;
  if (sale.hasStarted && !sale.paused) await checkIdle(saleId, found);
  await checkKnown(saleId, sale.variants, found);
  await checkOrder(saleId, found);
  if (sale.variants > 0) await checkWishes(saleId, found);
}

/** No unit is free while somebody waits, except right after Redis was lost. */
async function checkIdle(saleId: string, found: Findings): Promise<void> {
  const redis = stockRedis();
  const serveFrom = await redis.hget(keys.sale(saleId), 'serveFrom');
  if (Number(serveFrom ?? 0) > Date.now()) return;
  for (const { variant, units } of await readFree(saleId)) {
    const waiting = await redis.zcount(keys.waitlist(saleId), ...scoresOf(variant));
    if (waiting === 0) continue;
    if (variant === 0) found.add(6, 'units_idle', { units, waiting });
    else found.add(6, 'variant_units_idle', { units, variant, waiting });
  }
}

/** Every place that Postgres knows as waiting waits in Redis, has just got its unit there, or was given up there. */
async function checkKnown(saleId: string, variants: number, found: Findings): Promise<void> {
  for (let after = 0; ; ) {
    const open = await db().$queryRaw<Open[]>`
      SELECT w.number::int, w.user_id AS "userId", w.variant FROM waitlist_entries w
      WHERE w.sale_id = ${saleId} AND w.number > ${after}
        AND w.left_at IS NULL AND w.given_at IS NULL AND w.passed_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no)
        AND NOT EXISTS (SELECT 1 FROM dead_letters d WHERE d.sale_id = w.sale_id AND d.order_no = w.order_no)
        AND NOT EXISTS (SELECT 1 FROM waitlist_entries later
                        WHERE later.user_id = w.user_id AND later.sale_id = w.sale_id AND later.number > w.number)
      ORDER BY w.number LIMIT ${PAGE}`;
    const last = open.at(-1);
    if (!last) return;
    after = last.number;
    const places = await readPlaces(
      saleId,
      open.map(({ userId }) => userId),
    );
    for (const [at, { number, userId, variant }] of open.entries()) {
      const { place, leftNumber } = places[at] ?? {};
      if (variant > variants || (variant === 0 && variants > 0))
        found.add(6, 'wish_unknown', { userId, number, variant });
      if (place?.number === number && place.variant !== variant)
        found.add(6, 'wish_differs', { userId, number, inRedis: place.variant, inPostgres: variant });
      if (place?.number !== number && leftNumber !== number) found.add(6, 'place_lost', { userId, number });
    }
  }
}

/** Numbers in Redis are there once, Postgres knows them, and nobody with a higher one has got a unit of that variant. */
async function checkOrder(saleId: string, found: Findings): Promise<void> {
  const first = new Map<number, number>();
  let before = '';
  for (let from = 0; ; from += PAGE) {
    const flat = await stockRedis().zrange(
      keys.waitlist(saleId),
      String(from),
      String(from + PAGE - 1),
      'WITHSCORES',
    );
    const waiting: Open[] = [];
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const [userId = '', score = ''] = flat.slice(at, at + 2);
      const place = { userId, ...fromScore(score) };
      waiting.push(place);
      if (!first.has(place.variant)) first.set(place.variant, place.number);
      if (score === before) found.add(6, 'place_twice', { userId, number: place.number });
      before = score;
    }
    if (waiting.length === 0) break;
    const numbers = waiting.map(({ number }) => number);
    const known = await db().$queryRaw<Open[]>`
      SELECT number::int, user_id AS "userId", variant FROM waitlist_entries
      WHERE sale_id = ${saleId} AND number = ANY (${numbers}::int[]::bigint[]) AND left_at IS NULL AND given_at IS NULL`;
    const places = new Map(known.map((place) => [place.number, place]));
    for (const { userId, number, variant } of waiting) {
      const place = places.get(number);
      if (place?.userId !== userId) found.add(6, 'place_unknown', { userId, number });
      else if (place.variant !== variant)
        found.add(6, 'wish_differs', { userId, number, inRedis: variant, inPostgres: place.variant });
    }
  }
  for (const [variant, waiting] of first) {
    const ahead = await db().$queryRaw<Open[]>`
      SELECT w.number::int, w.user_id AS "userId", w.variant FROM waitlist_entries w
      WHERE w.sale_id = ${saleId} AND w.number > ${waiting} AND w.variant = ${variant}
        AND EXISTS (SELECT 1 FROM orders o WHERE o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no)
      ORDER BY w.number LIMIT ${EXAMPLES}`;
    for (const { userId, number } of ahead) found.add(6, 'passed_over', { userId, number, waiting });
  }
}

/** Every order that a place became is of the variant that was wished. */
async function checkWishes(saleId: string, found: Findings): Promise<void> {
  const given = await db().$queryRaw<Given[]>`
    SELECT w.number::int, w.user_id AS "userId", w.variant, o.id::text AS "orderNo", o.variant AS ordered
    FROM waitlist_entries w JOIN orders o ON o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no
    WHERE w.sale_id = ${saleId} AND o.variant <> w.variant ORDER BY w.number LIMIT ${EXAMPLES}`;
  for (const { userId, number, variant, orderNo, ordered } of given)
    found.add(6, 'other_than_wished', { userId, number, variant, orderNo, ordered });
}
