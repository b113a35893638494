import 'server-only';
import { db } from '@/lib/db/client';
import type { Refusal } from './types';

/**
 * Adds refusals to the stored ones, in one statement; equal refusals of one user share a row. All writers use the
 * same order, so that no two wait for each other in a circle. @param refusals each kind once.
 */
export async function writeRefusals(refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  await db().$executeRaw`
    INSERT INTO refusals AS r (sale_id, user_id, place, code, risk, first_at, last_at, times, available)
    SELECT n.sale_id, n.user_id, n.place, n.code, n.risk, to_timestamp(n.first_at / 1000.0),
           to_timestamp(n.last_at / 1000.0), n.times, n.available
    FROM unnest(${refusals.map(({ saleId }) => saleId)}::text[],
                ${refusals.map(({ userId }) => userId)}::text[],
                ${refusals.map(({ place }) => place)}::text[],
                ${refusals.map(({ code }) => code)}::text[],
                ${refusals.map(({ risk }) => risk)}::text[],
                ${refusals.map(({ firstAt }) => firstAt)}::double precision[],
                ${refusals.map(({ lastAt }) => lastAt)}::double precision[],
                ${refusals.map(({ times }) => times)}::int[],
                ${refusals.map(({ available }) => available)}::int[])
           AS n (sale_id, user_id, place, code, risk, first_at, last_at, times, available)
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (sale_id, user_id, place, code, risk) DO UPDATE SET
      times = least(r.times::bigint + excluded.times, 2147483647),
      available = CASE WHEN excluded.first_at < r.first_at THEN excluded.available ELSE r.available END,
      first_at = least(r.first_at, excluded.first_at),
      last_at = greatest(r.last_at, excluded.last_at)`;
}

/** Adds to the number of refusals of each sale that could not be kept. */
export async function writeLost(lost: ReadonlyMap<string, number>): Promise<void> {
  if (lost.size === 0) return;
  const bySale = [...lost].sort(([a], [b]) => (a < b ? -1 : 1));
  await db().$executeRaw`
    INSERT INTO lost_refusals AS l (sale_id, times, last_at)
    SELECT n.sale_id, n.times, now()
    FROM unnest(${bySale.map(([saleId]) => saleId)}::text[], ${bySale.map(([, times]) => times)}::bigint[])
           AS n (sale_id, times)
    ON CONFLICT (sale_id) DO UPDATE SET times = l.times + excluded.times, last_at = excluded.last_at`;
}
