import 'server-only';
import { db } from '@/lib/db/client';

const MAX_SALES = 1_000;

/** A sale whose purchases wait in a queue; `epoch` of its loading. */
export type Queue = { saleId: string; epoch: number; isOver: boolean };

/**
 * Lists the sales of the queue strategy that run, are about to start, or ended within a day: what was queued before the end
 * is decided, however long Redis was away.
 */
export function listQueues(): Promise<Queue[]> {
  return db().$queryRaw`
    SELECT id AS "saleId", epoch, ends_at < now() OR status = 'closed' AS "isOver" FROM sales
    WHERE strategy = 'queue' AND status <> 'draft' AND starts_at < now() + interval '2 seconds'
      AND ends_at > now() - interval '1 day'
    ORDER BY starts_at DESC LIMIT ${MAX_SALES}`;
}
