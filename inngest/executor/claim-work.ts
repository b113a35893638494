import 'server-only';
import type { Executor, WorkItem } from './types';

// Claims of functions with a concurrency limit must see each other. So a claim locks the rows of those functions
// until it has committed. The counting statement comes after the lock, so that its snapshot does too. If a crash of
// Postgres loses a claim, an executor simply claims again, so the claim need not wait for the disk.
const BEGIN = `
  BEGIN; SET LOCAL synchronous_commit = off;
  SELECT 1 FROM executor.functions WHERE concurrency IS NOT NULL ORDER BY id FOR NO KEY UPDATE`;

const CLAIM = {
  name: 'executor-claim',
  text: `
    WITH picked AS (
      SELECT due.id FROM executor.functions f CROSS JOIN LATERAL (
        SELECT q.id, q.due_at FROM executor.queue q WHERE q.function_id = f.id AND q.due_at <= $1
        ORDER BY q.due_at
        -- least() skips the NULL of a function without a limit
        LIMIT greatest(0, least($2::int, f.concurrency - (
          SELECT count(*) FROM executor.queue x
          WHERE x.function_id = f.id AND x.due_at > $1 AND x.leased_by IS NOT NULL)))
        FOR UPDATE SKIP LOCKED
      ) due ORDER BY due.due_at LIMIT $2
    )
    UPDATE executor.queue q SET due_at = $3, leased_by = $4, claim = q.claim + 1
    FROM picked WHERE q.id = picked.id
    RETURNING q.id, q.claim, q.run_id AS "runId", q.step_id AS "stepId", q.kind, q.attempt`,
};

/**
 * Leases up to `limit` due items, the longest waiting first, within the functions' concurrency limits. Items of an
 * executor that stopped renewing its leases are due again and are claimed like any other.
 */
export async function claimWork(executor: Executor, limit: number): Promise<WorkItem[]> {
  const nowMs = executor.config.clock();
  const client = await executor.pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(BEGIN);
    const values = [new Date(nowMs), limit, new Date(nowMs + executor.config.leaseMs), executor.owner];
    const claimed = await client.query<WorkItem>({ ...CLAIM, values });
    await client.query('COMMIT');
    return claimed.rows;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw failure;
  } finally {
    // A connection that failed inside the transaction is thrown away. That also rolls the transaction back.
    client.release(failure);
  }
}
