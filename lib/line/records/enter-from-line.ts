import 'server-only';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';
import { WORKER_AWAY_AFTER_MS } from './types';

/** When a place was first used, epoch ms, and for how long the line's time had stood still by then. */
type UsedPlace = { enteredAt: number; stoodMs: number | null };

/**
 * Notes that somebody who was admitted enters. Those who come together share a statement; again changes nothing.
 * @returns null if the place was left meanwhile
 * @throws connection errors
 */
export async function enterFromLine(saleId: string, number: number): Promise<UsedPlace | null> {
  return (await write(`${saleId} ${number}`)) ?? null;
}

const write = joinReads<string, UsedPlace>(async (asked) => {
  const pairs = asked.map((key) => key.split(' '));
  const rows = await keptQuery<{
    sale_id: string;
    number: number;
    entered_at: Date;
    stood_ms: number | null;
  }>`
    UPDATE line_entries e SET
      entered_at = coalesce(e.entered_at, clock_timestamp()),
      stood_ms = CASE WHEN e.entered_at IS NOT NULL THEN e.stood_ms ELSE l.stood_ms + CASE
        WHEN l.tended_at < clock_timestamp() - make_interval(secs => ${WORKER_AWAY_AFTER_MS / 1_000})
        THEN (1000 * extract(epoch FROM clock_timestamp() - l.tended_at))::bigint ELSE 0 END END
    FROM unnest(${pairs.map(([saleId]) => saleId)}::text[], ${pairs.map(([, number]) => number)}::int[]) AS a (sale_id, number)
    JOIN lines l ON l.sale_id = a.sale_id
    WHERE e.sale_id = a.sale_id AND e.number = a.number AND e.left_at IS NULL
    RETURNING e.sale_id, e.number, e.entered_at, e.stood_ms::float8 AS stood_ms`;
  return new Map(
    rows.map((row) => [
      `${row.sale_id} ${row.number}`,
      { enteredAt: row.entered_at.getTime(), stoodMs: row.stood_ms },
    ]),
  );
});
