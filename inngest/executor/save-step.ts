import 'server-only';
import type { Executor, WorkItem } from './types';

/**
 * `continue`: this executor goes on with the run, under the same lease. `waiting`: other parallel steps are not done
 * yet. `lost`: another executor has the item by now, so nothing was saved.
 */
type SaveResult = 'continue' | 'waiting' | 'lost';

// Here and in finish-run.ts, a transaction locks the run before the queue row, so that parallel steps and a failing
// run can't deadlock. The step that brings `pending` to 0 turns its item into the one that continues the function.
const SAVE = {
  name: 'executor-save-step',
  text: `
    WITH locked AS (
      SELECT id FROM executor.runs WHERE id = $3 FOR UPDATE
    ), own AS (
      SELECT q.id FROM executor.queue q, locked WHERE q.id = $1 AND q.claim = $2 FOR UPDATE OF q
    ), run AS (
      UPDATE executor.runs r SET pending = greatest(r.pending - 1, 0), protocol_version = $6
      FROM own WHERE r.id = $3 RETURNING r.pending
    ), saved AS (
      INSERT INTO executor.steps (run_id, step_id, memo) SELECT $3, $4, $5::json FROM own
      ON CONFLICT (run_id, step_id) DO NOTHING
    ), next AS (
      UPDATE executor.queue q SET step_id = 'step', kind = 'CALL', attempt = 0
      FROM run WHERE q.id = $1 AND run.pending = 0
    ), done AS (
      DELETE FROM executor.queue q USING run WHERE q.id = $1 AND run.pending > 0
    )
    SELECT pending FROM run`,
};

/**
 * Saves a step's outcome as its memo.
 * @param memo what the SDK gets for the step from now on: `{data}`, `{error}` or null.
 */
export async function saveStep(
  executor: Executor,
  item: WorkItem,
  stepId: string,
  memo: unknown,
  protocolVersion: number,
): Promise<SaveResult> {
  const values = [item.id, item.claim, item.runId, stepId, JSON.stringify(memo), protocolVersion];
  const saved = await executor.pool.query<{ pending: number }>({ ...SAVE, values });
  const run = saved.rows[0];
  if (!run) return 'lost';
  return run.pending === 0 ? 'continue' : 'waiting';
}
