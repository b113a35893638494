import 'server-only';
import { newId } from './ids';
import { startRuns } from './start-runs';
import type { Executor, RunState, WorkItem } from './types';

const FAILED_EVENT = 'inngest/function.failed';

const FINISH = `
  WITH own AS (
    DELETE FROM executor.queue WHERE id = $1 AND claim = $2 RETURNING run_id
  ), others AS (
    DELETE FROM executor.queue q USING own WHERE q.run_id = own.run_id AND q.id <> $1
  )
  UPDATE executor.runs r SET status = $3, result = $4, error = $5, ended_at = $6, pending = 0
  FROM own WHERE r.id = own.run_id`;

// The setting ends with the statement, because the statement is its own transaction.
const COMPLETE = FINISH.replace(
  'FROM own WHERE',
  `FROM own, (SELECT set_config('synchronous_commit', 'off', true)) AS unhurried WHERE`,
);

/**
 * Ends a run with its result. Does not wait for the disk: a crash of Postgres can take back only the ending. The run
 * then ends once more, from the same memos. Events, memos and failures do wait for the disk.
 */
export async function completeRun(executor: Executor, item: WorkItem, result: unknown): Promise<void> {
  const endedAt = new Date(executor.config.clock());
  const values = [item.id, item.claim, 'COMPLETED', JSON.stringify(result), null, endedAt];
  await executor.pool.query({ name: 'executor-complete', text: COMPLETE, values });
}

/** Builds the event for an onFailure handler. Its id is the run's id, so a run can't be reported twice. */
function failedEvent(run: RunState, error: unknown, nowMs: number) {
  const event = JSON.parse(run.eventText);
  const data = {
    function_id: run.functionId,
    run_id: run.runId,
    event,
    events: [event],
    error,
    _inngest: { status: 'Failed' },
  };
  const payload = { name: FAILED_EVENT, id: run.runId, ts: nowMs, data };
  return { id: newId(nowMs), key: run.runId, ts: nowMs, payload };
}

/** Ends a run with an error and starts its onFailure handlers in the same transaction. */
export async function failRun(
  executor: Executor,
  item: WorkItem,
  run: RunState,
  error: unknown,
): Promise<void> {
  const nowMs = executor.config.clock();
  const client = await executor.pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM executor.runs WHERE id = $1 FOR UPDATE', [run.runId]);
    const values = [item.id, item.claim, 'FAILED', null, JSON.stringify(error), new Date(nowMs)];
    const finished = await client.query(FINISH, values);
    // A failure handler that fails must not start itself again.
    if (finished.rowCount && JSON.parse(run.eventText).name !== FAILED_EVENT) {
      const triggers = await client.query<{ function_id: string }>(
        `SELECT function_id FROM executor.triggers WHERE event_name = $1 AND failed_function_id IN ('', $2)`,
        [FAILED_EVENT, run.functionId],
      );
      const functionIds = triggers.rows.map((row) => row.function_id);
      if (functionIds.length)
        await startRuns(executor, client, [failedEvent(run, error, nowMs)], () => functionIds);
    }
    await client.query('COMMIT');
  } catch (thrown) {
    failure = thrown instanceof Error ? thrown : new Error(String(thrown));
    throw failure;
  } finally {
    client.release(failure);
  }
}
