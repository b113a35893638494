import 'server-only';
import { db } from '@/lib/db/client';

const MAX_SALES = 1_000;

/** Lists the sales with a waitlist that run, or ended within the last hour: their last orders may not be told yet. */
export const listWaitlists = (): Promise<{ saleId: string; epoch: number }[]> =>
  db().$queryRaw`
    SELECT id AS "saleId", epoch FROM sales
    WHERE waitlist AND status <> 'draft' AND starts_at <= now() AND ends_at > now() - interval '1 hour'
      AND (closed_at IS NULL OR closed_at > now() - interval '1 hour')
    ORDER BY starts_at LIMIT ${MAX_SALES}`;
