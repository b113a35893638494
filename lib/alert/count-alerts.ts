import 'server-only';
import { db } from '@/lib/db/client';

/** Counts the open alerts, by rule and state. */
export async function countAlerts(): Promise<{ rule: string; state: string; count: number }[]> {
  return db().$queryRaw`
    SELECT rule, state, count(*)::int AS count FROM alerts WHERE state <> 'resolved' GROUP BY rule, state`;
}
