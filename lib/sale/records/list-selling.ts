import 'server-only';
import { db } from '@/lib/db/client';

const MAX_SALES = 1_000;

/** `sliceEpochs` is empty for a sale that is not split. */
type Selling = { id: string; epoch: number; slices: number; sliceEpochs: number[]; isClosed: boolean };

/**
 * Lists the sales that Redis sells or whose orders may still be on their way, in the order they start. Leaves out
 * those that ended or were closed more than an hour ago.
 */
export function listSelling(): Promise<Selling[]> {
  return db().$queryRaw`
    SELECT s.id, s.epoch, s.slices, s.slice_epochs AS "sliceEpochs", s.status = 'closed' AS "isClosed" FROM sales s
    WHERE s.status <> 'draft' AND s.ends_at > now() - interval '1 hour'
      AND (s.closed_at IS NULL OR s.closed_at > now() - interval '1 hour')
      AND s.strategy <> 'database' AND s.stock_mode = 'redis'
    ORDER BY s.starts_at LIMIT ${MAX_SALES}`;
}
