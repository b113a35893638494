import 'server-only';
import type { Executor } from './types';

const BATCH = 5000;
const DEDUP_MS = 24 * 60 * 60 * 1000;

const RUNS =
  'DELETE FROM executor.runs WHERE id IN (SELECT id FROM executor.runs WHERE ended_at < $1 LIMIT $2)';
const EVENTS = `
  DELETE FROM executor.events WHERE id IN (
    SELECT e.id FROM executor.events e
    WHERE e.received_at < $1 AND NOT EXISTS (SELECT 1 FROM executor.runs r WHERE r.event_id = e.id) LIMIT $2)`;
const SEEN = `
  DELETE FROM executor.seen WHERE (function_id, event_key) IN (
    SELECT function_id, event_key FROM executor.seen WHERE seen_at < $1 LIMIT $2)`;

/**
 * Deletes ended runs with their steps, events that no run needs, and de-duplication keys older than 24 hours. Deletes
 * 5000 rows at a time, to keep each transaction short.
 */
export async function prune(executor: Executor): Promise<void> {
  const nowMs = executor.config.clock();
  const old = new Date(nowMs - executor.config.retainMs);
  const jobs = [
    [RUNS, old],
    [EVENTS, old],
    [SEEN, new Date(nowMs - DEDUP_MS)],
  ] as const;
  for (const [statement, before] of jobs) {
    let deleted = BATCH;
    while (deleted === BATCH) deleted = (await executor.pool.query(statement, [before, BATCH])).rowCount ?? 0;
  }
}
