import 'server-only';
import { db } from '@/lib/db/client';

const PAGE = 1_000;

/** Yields the first `size` leaves of a sale's log as JSON lines, piece by piece as they are read. */
export async function* streamLeaves(saleId: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < size; from += PAGE) {
    const rows = await db().$queryRaw<{ leaf: string }[]>`
      SELECT leaf FROM decision_leaves
      WHERE sale_id = ${saleId} AND index >= ${from}::bigint AND index < ${Math.min(from + PAGE, size)}::bigint
      ORDER BY index`;
    if (rows.length === 0) throw new Error(`the log of ${saleId} lacks leaves from ${from} on`);
    yield rows.map(({ leaf }) => `${leaf}\n`).join('');
  }
}
