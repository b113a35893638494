import 'server-only';
import { db } from '@/lib/db/client';

/** Only workers report their breakers, every 15 s; one silent for this long counts as gone. */
const SILENT_AFTER_SEC = 60;

/** Counts the worker processes that are alive, or were within the last minute. */
export async function countWorkers(): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(DISTINCT process)::int AS count FROM breakers
    WHERE seen_at > now() - make_interval(secs => ${SILENT_AFTER_SEC}::int)`;
  return row?.count ?? 0;
}
