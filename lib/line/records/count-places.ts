import 'server-only';
import { db } from '@/lib/db/client';
import type { Places } from './places';

/** So many numbers go in one question. */
const PAGE = 50_000;

/**
 * Counts among the places from one to just before another those that were left unused, or those that stand and were not
 * used. For figures that staff look at.
 */
export async function countPlaces(
  saleId: string,
  { numberAt }: Places,
  { from, to }: { from: number; to: number },
  which: 'left' | 'idle',
): Promise<number> {
  let count = 0;
  for (let at = from; at < to; at += PAGE) {
    const numbers = Array.from({ length: Math.min(PAGE, to - at) }, (_, offset) => numberAt(at + offset));
    const [row] = await db().$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM line_entries
      WHERE sale_id = ${saleId} AND number = ANY (${numbers}::int[]) AND entered_at IS NULL
        AND (left_at IS NOT NULL) = ${which === 'left'}`;
    count += row?.count ?? 0;
  }
  return count;
}
