import 'server-only';
import { db } from '@/lib/db/client';
import type { Place } from './types';

/** A place as Redis gave it, and the loading of the sale under which it did. */
export type NewPlace = Place & { epoch: number };

/**
 * Writes places into Postgres, those that are there already once more without effect. Leaves out places of an older loading,
 * whose numbers the present one would give again, and of accounts that are gone. Locks the sales' rows against a rebuild,
 * which therefore either finds the places or makes them too late.
 * @param places each number of a sale once
 * @returns which are in Postgres now, as `saleId/number`. @throws connection errors
 */
export async function writePlaces(places: readonly NewPlace[]): Promise<Set<string>> {
  const column = <T>(of: (place: NewPlace) => T) => places.map(of);
  const rows = await db().$queryRaw<{ saleId: string; number: bigint }[]>`
    WITH given AS (
      SELECT * FROM unnest(${column(({ saleId }) => saleId)}::text[], ${column(({ epoch }) => epoch)}::int[],
        ${column(({ number }) => number)}::bigint[], ${column(({ userId }) => userId)}::text[],
        ${column(({ jti }) => jti)}::text[], ${column(({ orderNo }) => orderNo)}::text[]::bigint[],
        ${column(({ variant }) => variant)}::smallint[])
        AS p (sale_id, epoch, number, user_id, jti, order_no, variant)
    ), current AS (
      SELECT id, epoch FROM sales WHERE id IN (SELECT sale_id FROM given) ORDER BY id FOR KEY SHARE
    ), valid AS (
      SELECT given.* FROM given JOIN current ON current.id = given.sale_id AND current.epoch = given.epoch
      WHERE EXISTS (SELECT FROM users WHERE users.id = given.user_id)
    ), written AS (
      INSERT INTO waitlist_entries (sale_id, number, user_id, jti, order_no, variant)
      SELECT sale_id, number, user_id, jti, order_no, variant FROM valid
      ON CONFLICT (sale_id, number) DO UPDATE SET number = excluded.number WHERE waitlist_entries.order_no = excluded.order_no
      RETURNING sale_id, number
    )
    SELECT sale_id AS "saleId", number FROM written`;
  return new Set(rows.map(({ saleId, number }) => `${saleId}/${number}`));
}
