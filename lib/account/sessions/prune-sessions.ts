import 'server-only';
import { db } from '@/lib/db/client';
import { deleteInBatches } from '@/lib/db/delete-in-batches';
import { KEEP_ENDED_MS } from './ended-sessions';

const BATCH_SIZE = 5_000;
const MOST_BATCHES = 20;

/**
 * Deletes sessions that ended or ran out more than 25 h ago: by then all their entry tokens have run out.
 * @returns how many it deleted; at most 100,000 in one call
 */
export function pruneSessions(): Promise<number> {
  const before = new Date(Date.now() - KEEP_ENDED_MS);
  const deleteSome = () => db().$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at < ${before} OR ended_at < ${before} LIMIT ${BATCH_SIZE})`;
  return deleteInBatches(deleteSome, { size: BATCH_SIZE, most: MOST_BATCHES });
}
