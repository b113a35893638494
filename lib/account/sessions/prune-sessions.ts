import 'server-only';
import { db } from '@/lib/db/client';
import { KEEP_ENDED_MS } from './ended-sessions';

const BATCH_SIZE = 5_000;
const MOST_BATCHES = 20;

/**
 * Deletes sessions that ended or ran out more than 25 h ago: by then all their entry tokens have run out.
 * @returns how many it deleted; at most 100,000 in one call
 */
export async function pruneSessions(): Promise<number> {
  const before = new Date(Date.now() - KEEP_ENDED_MS);
  let pruned = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const count = await db().$executeRaw`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE expires_at < ${before} OR ended_at < ${before} LIMIT ${BATCH_SIZE})`;
    pruned += count;
    if (count < BATCH_SIZE) break;
  }
  return pruned;
}
