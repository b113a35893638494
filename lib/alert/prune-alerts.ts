import 'server-only';
import { db } from '@/lib/db/client';

const KEEP_DAYS = 90;

/** Deletes alerts that were resolved more than 90 days ago. @returns how many. */
export async function pruneAlerts(): Promise<number> {
  return db().$executeRaw`
    DELETE FROM alerts WHERE resolved_at < now() - make_interval(days => ${KEEP_DAYS}::int)`;
}
