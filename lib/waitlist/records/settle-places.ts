import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { Prisma } from '@/prisma/generated/client';
import { readPlaces } from './read-places';
import { fromScore, scoresOf } from './score';

/** Places in one statement. */
const AT_ONCE = 500;

/** The places of a sale that may have an outcome by now. */
export type DuePlaces = {
  saleId: string;
  /** Those that are for it; 0: the sale has none. */
  variant: number;
  /** Those with lower numbers: nobody who waits for the variant has got a unit. Null: nobody waits. */
  before: number | null;
};

/** Returns the number of the first who waits for a unit of a variant; null: nobody does. @throws connection errors */
export async function firstWaiting(saleId: string, variant: number): Promise<number | null> {
  const [, score] = await stockRedis().zrangebyscore(
    keys.waitlist(saleId),
    ...scoresOf(variant),
    'WITHSCORES',
    'LIMIT',
    0,
    1,
  );
  return score === undefined ? null : fromScore(score).number;
}

/** Selects open places that are due. Postgres uses the index of places with a variant only if told that they have one. */
const isDue = ({ saleId, variant, before }: DuePlaces) => Prisma.sql`
  w.sale_id = ${saleId} AND w.left_at IS NULL AND w.given_at IS NULL AND w.passed_at IS NULL
  AND (${before}::bigint IS NULL OR w.number < ${before}::bigint)
  ${variant > 0 ? Prisma.sql`AND w.variant > 0 AND w.variant = ${variant}` : Prisma.empty}`;

/**
 * Notes in Postgres which places have got their unit, once the order is there. Each is returned by one call only.
 * @returns the orders; fewer than 500: there are no more. @throws connection errors
 */
export function noteGiven(tx: Db, due: DuePlaces): Promise<{ orderNo: string }[]> {
  return tx.$queryRaw`
    WITH due AS (
      SELECT w.number FROM waitlist_entries w
      JOIN orders o ON o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no
      WHERE ${isDue(due)}
      ORDER BY w.number LIMIT ${AT_ONCE} FOR UPDATE OF w SKIP LOCKED
    )
    UPDATE waitlist_entries w SET given_at = now() FROM due
    WHERE w.sale_id = ${due.saleId} AND w.number = due.number
    RETURNING w.order_no::text AS "orderNo"`;
}

/**
 * Notes in Postgres who was passed over when a unit was due, and why, and who gave a place up in a request that broke off
 * before it said so there: as Redis says.
 * @param hasBought tells whether a user has the unit of an order by now @throws connection errors
 */
export async function noteGone(due: DuePlaces, hasBought: HasBought): Promise<void> {
  const { saleId } = due;
  const open = await db().$queryRaw<{ number: bigint; userId: string; orderNo: string }[]>`
    SELECT w.number, w.user_id AS "userId", w.order_no::text AS "orderNo" FROM waitlist_entries w
    WHERE ${isDue(due)}
    ORDER BY w.number LIMIT ${AT_ONCE}`;
  const places = await readPlaces(
    saleId,
    open.map(({ userId }) => userId),
  );
  const passed: { number: bigint; why: string }[] = [];
  const left: bigint[] = [];
  for (const [at, { number, userId, orderNo }] of open.entries()) {
    const { place, passedWhy, leftNumber } = places[at] ?? {};
    if (leftNumber === Number(number)) left.push(number);
    // Redis keeps one place per user: a later place replaces an older one, also one whose order is on its way.
    else if (place && place.number > Number(number)) {
      if (!(await hasBought({ saleId, userId, orderNo }))) passed.push({ number, why: 'joined_again' });
    } else if (place?.state === 'passed_over') passed.push({ number, why: passedWhy ?? 'not_recorded' });
  }
  if (passed.length > 0) await notePassedOver(saleId, passed);
  if (left.length > 0) await noteLeft(saleId, left);
}

type HasBought = (order: { saleId: string; userId: string; orderNo: string }) => Promise<boolean>;

const notePassedOver = (saleId: string, passed: readonly { number: bigint; why: string }[]) =>
  db().$executeRaw`
    UPDATE waitlist_entries w SET passed_at = now(), passed_why = p.why
    FROM unnest(${passed.map(({ number }) => number)}::bigint[], ${passed.map(({ why }) => why)}::text[]) AS p (number, why)
    WHERE w.sale_id = ${saleId} AND w.number = p.number
      AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.shard = (w.order_no & 1023)::smallint AND o.id = w.order_no)`;

const noteLeft = (saleId: string, numbers: readonly bigint[]) =>
  db().$executeRaw`
    UPDATE waitlist_entries SET left_at = now()
    WHERE sale_id = ${saleId} AND number = ANY (${numbers}::bigint[])
      AND left_at IS NULL AND given_at IS NULL AND passed_at IS NULL`;
