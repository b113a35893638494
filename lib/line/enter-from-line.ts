import 'server-only';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';

/**
 * Notes that somebody who was admitted enters. Those who come together share a statement; again changes nothing.
 * @returns when it was first used, epoch ms; null if the place was left meanwhile
 * @throws connection errors
 */
export async function enterFromLine(saleId: string, number: number): Promise<number | null> {
  return (await write(`${saleId} ${number}`)) ?? null;
}

const write = joinReads<string, number>(async (asked) => {
  const pairs = asked.map((key) => key.split(' '));
  const rows = await keptQuery<{ sale_id: string; number: number; entered_at: Date }>`
    UPDATE line_entries e SET entered_at = coalesce(e.entered_at, clock_timestamp())
    FROM unnest(${pairs.map(([saleId]) => saleId)}::text[], ${pairs.map(([, number]) => number)}::int[]) AS a (sale_id, number)
    WHERE e.sale_id = a.sale_id AND e.number = a.number AND e.left_at IS NULL
    RETURNING e.sale_id, e.number, e.entered_at`;
  return new Map(rows.map((row) => [`${row.sale_id} ${row.number}`, row.entered_at.getTime()]));
});
