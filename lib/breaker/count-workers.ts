import 'server-only';
import { db } from '@/lib/db/client';

/** Workers, and nobody else, say every 15 s how their breakers stand. */
const SILENT_AFTER_SEC = 60;

/** How many worker processes are alive, or were within the last minute. */
export async function countWorkers(): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(DISTINCT process)::int AS count FROM breakers
    WHERE seen_at > now() - make_interval(secs => ${SILENT_AFTER_SEC}::int)`;
  return row?.count ?? 0;
}
