import 'server-only';
import { db } from '@/lib/db/client';
import { deleteInBatches } from '@/lib/db/delete-in-batches';
import { env } from '@/lib/env';

const BATCH = 5_000;
const ROUNDS = 100;

/**
 * Deletes hits of risk rules older than `KEEP_RISK_HITS_DAYS` whose measures have ended, at most 500,000 in a call.
 * @returns how many; 0 where they are kept for ever.
 */
export async function pruneHits(): Promise<number> {
  const { keepRiskHitsDays: days } = env();
  if (days === null) return 0;
  return deleteInBatches(
    () => db().$executeRaw`
      DELETE FROM risk_hits WHERE id IN (
        SELECT id FROM risk_hits
        WHERE created_at < now() - make_interval(days => ${days}::int) AND (expires_at IS NULL OR expires_at < now())
        ORDER BY created_at LIMIT ${BATCH})`,
    { size: BATCH, most: ROUNDS },
  );
}
