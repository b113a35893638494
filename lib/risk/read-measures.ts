import 'server-only';
import { db } from '@/lib/db/client';
import type { Measure } from './measures';

/** Beyond that many the latest count: what hits so many needs another rule. */
const MOST_MEASURES = 20_000;

/** The limits and challenges in force now. */
export async function readMeasures(): Promise<Measure[]> {
  const rows = await db().$queryRaw<(Omit<Measure, 'expiresAt'> & { expiresAt: Date })[]>`
    SELECT kind, value, action, expires_at AS "expiresAt" FROM risk_hits
    WHERE expires_at > now() AND released_at IS NULL AND NOT dry_run AND action ->> 'kind' IN ('limit', 'challenge')
    ORDER BY expires_at DESC LIMIT ${MOST_MEASURES}`;
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt.getTime() }));
}
