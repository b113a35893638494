import 'server-only';
import type { Executor, WorkItem } from './types';

/** Extends the leases of the items in flight: each lasts one full lease from now. */
export async function renewLeases(executor: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await executor.pool.query('UPDATE executor.queue SET due_at = $1 WHERE id = ANY ($2) AND leased_by = $3', [
    new Date(executor.config.clock() + executor.config.leaseMs),
    ids,
    executor.owner,
  ]);
}

/** Gives back every item this executor still holds, so that another executor need not wait for the leases to expire. */
export async function releaseLeases(executor: Executor): Promise<void> {
  await executor.pool.query(
    `WITH freed AS (UPDATE executor.queue SET due_at = $1, leased_by = NULL WHERE leased_by = $2 RETURNING 1)
     SELECT pg_notify('executor_wake', $2) FROM freed LIMIT 1`,
    [new Date(executor.config.clock()), executor.owner],
  );
}

/**
 * Puts an item back into the queue for later.
 * @param attempt number of the attempt that the item's next call will be.
 */
export async function reschedule(
  executor: Executor,
  item: WorkItem,
  attempt: number,
  delayMs: number,
): Promise<void> {
  await executor.pool.query(
    'UPDATE executor.queue SET due_at = $3, attempt = $4, leased_by = NULL WHERE id = $1 AND claim = $2',
    [item.id, item.claim, new Date(executor.config.clock() + delayMs), attempt],
  );
}
