import 'server-only';
import type { Executor, RunState } from './types';

const LOAD = {
  name: 'executor-load-runs',
  text: `
    SELECT r.id AS "runId", f.id AS "functionId", f.url, f.max_attempts AS "maxAttempts",
      r.protocol_version AS "protocolVersion", e.payload::text AS "eventText",
      (SELECT coalesce(json_agg(json_build_array(s.step_id, s.memo) ORDER BY s.seq), '[]')
       FROM executor.steps s WHERE s.run_id = r.id) AS memos
    FROM executor.runs r
    JOIN executor.events e ON e.id = r.event_id
    JOIN executor.functions f ON f.id = r.function_id
    WHERE r.id = ANY ($1)`,
};

/**
 * Reads the state of runs by run id. This is a statement of its own after the claim: its snapshot must include the
 * steps that the item's previous holder saved.
 */
export async function loadRuns(
  executor: Executor,
  runIds: readonly string[],
): Promise<Map<string, RunState>> {
  const result = await executor.pool.query<RunState>({ ...LOAD, values: [[...new Set(runIds)]] });
  return new Map(result.rows.map((run) => [run.runId, run]));
}
