import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readPlaces } from '@/lib/waitlist/records/read-places';
import { Findings } from './findings';

const PAGE = 2_000;
const REREAD_MS = 250;
/** As many faults of one kind as are told of. */
const EXAMPLES = 5;

type Open = { number: number; userId: string };

/**
 * Invariant 6 for those who wait: every place that was told is known to Redis, once, in its order; nobody who waits was passed
 * over; no unit is free while somebody waits. A difference counts only if it stays for `settleMs`, or as long as units are
 * kept after Redis was lost. Says nothing of a sale that is over.
 * @throws connection errors
 */
export async function checkWaitlist(saleId: string, settleMs: number, findings: Findings): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += REREAD_MS) {
    const found = new Findings();
    await lookOnce(saleId, found);
    if (!found.any() || waitedMs >= settleMs) return findings.addAll(found);
    await delay(REREAD_MS);
  }
}

async function lookOnce(saleId: string, found: Findings): Promise<void> {
  const [sale] = await db().$queryRaw<{ paused: boolean; hasStarted: boolean }[]>`
    SELECT paused, starts_at <= now() AS "hasStarted" FROM sales
    WHERE id = ${saleId} AND waitlist AND status = 'published' AND ends_at > now()`;
  if (!sale) return;
  if (sale.hasStarted && !sale.paused) await checkIdle(saleId, found);
  await checkKnown(saleId, found);
  await checkOrder(saleId, found);
}

/** No unit is free while somebody waits, except right after Redis was lost. */
async function checkIdle(saleId: string, found: Findings): Promise<void> {
  const redis = stockRedis();
  const [[available, serveFrom], waiting] = await Promise.all([
    redis.hmget(keys.sale(saleId), 'available', 'serveFrom'),
    redis.zcard(keys.waitlist(saleId)),
  ]);
  const isKept = Number(serveFrom ?? 0) > Date.now();
  if (!isKept && waiting > 0 && Number(available) > 0)
    found.add(6, 'units_idle', { units: Number(available), waiting });
}

/** Every place that Postgres knows as waiting waits in Redis, has just got its unit there, or was given up there. */
async function checkKnown(saleId: string, found: Findings): Promise<void> {
  for (let after = 0; ; ) {
    const open = await db().$queryRaw<Open[]>`
      SELECT w.number::int, w.user_id AS "userId" FROM waitlist_entries w
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
    for (const [at, { number, userId }] of open.entries()) {
      const { place, leftNumber } = places[at] ?? {};
      if (place?.number !== number && leftNumber !== number) found.add(6, 'place_lost', { userId, number });
    }
  }
}

/** Numbers in Redis are there once, Postgres knows them, and nobody with a higher one has got a unit. */
async function checkOrder(saleId: string, found: Findings): Promise<void> {
  let first: number | null = null;
  let before = 0;
  for (let from = 0; ; from += PAGE) {
    const flat = await stockRedis().zrange(
      keys.waitlist(saleId),
      String(from),
      String(from + PAGE - 1),
      'WITHSCORES',
    );
    const waiting: Open[] = [];
    for (let at = 0; at + 1 < flat.length; at += 2)
      waiting.push({ userId: flat[at] as string, number: Number(flat[at + 1]) });
    if (waiting.length === 0) break;
    first ??= waiting[0]?.number ?? null;
    for (const { userId, number } of waiting) {
      if (number === before) found.add(6, 'place_twice', { userId, number });
      before = number;
    }
    const numbers = waiting.map(({ number }) => number);
    const known = await db().$queryRaw<Open[]>`
      SELECT number::int, user_id AS "userId" FROM waitlist_entries
      WHERE sale_id = ${saleId} AND number = ANY (${numbers}::int[]::bigint[]) AND left_at IS NULL AND given_at IS NULL`;
    const owners = new Map(known.map(({ number, userId }) => [number, userId]));
    for (const { userId, number } of waiting)
      if (owners.get(number) !== userId) found.add(6, 'place_unknown', { userId, number });
  }
  if (first === null) return;
  const ahead = await db().$queryRaw<Open[]>`
    SELECT w.number::int, w.user_id AS "userId" FROM waitlist_entries w
    WHERE w.sale_id = ${saleId} AND w.number > ${first}
      AND EXISTS (SELECT 1 FROM orders o WHERE o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no)
    ORDER BY w.number LIMIT ${EXAMPLES}`;
  for (const { userId, number } of ahead) found.add(6, 'passed_over', { userId, number, waiting: first });
}
