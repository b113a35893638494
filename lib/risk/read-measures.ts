import 'server-only';
import { db } from '@/lib/db/client';
import type { Measure } from './measures';

/** If there are more, only those that end last count; a rule that hits so many subjects has to be changed. */
const MOST_MEASURES = 20_000;

/** Returns the limits and challenges in force now. */
export async function readMeasures(): Promise<Measure[]> {
  const rows = await db().$queryRaw<(Omit<Measure, 'expiresAt'> & { expiresAt: Date })[]>`
    SELECT kind, value, action, expires_at AS "expiresAt" FROM risk_hits
    WHERE expires_at > now() AND released_at IS NULL AND NOT dry_run AND action ->> 'kind' IN ('limit', 'challenge')
    ORDER BY expires_at DESC LIMIT ${MOST_MEASURES}`;
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt.getTime() }));
}
