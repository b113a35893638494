import 'server-only';
import type { Executor, WorkItem } from './types';

/** A step that runs or sleeps in parallel with its siblings. */
export interface PlannedStep {
  id: string;
  kind: WorkItem['kind'];
  /** Epoch ms. */
  dueAtMs: number;
}

const PLAN = `
  WITH own AS (
    DELETE FROM executor.queue WHERE id = $1 AND claim = $2 RETURNING run_id, function_id
  ), run AS (
    UPDATE executor.runs r SET pending = cardinality($3::text[]), protocol_version = $6 FROM own WHERE r.id = own.run_id
  )
  INSERT INTO executor.queue (run_id, function_id, step_id, kind, due_at)
  SELECT own.run_id, own.function_id, p.step_id, p.kind, p.due_at
  FROM own, unnest($3::text[], $4::text[], $5::timestamptz[]) AS p (step_id, kind, due_at)`;

/** Replaces the item that continued a run by one item for each step that the run now waits for. */
export async function planSteps(
  executor: Executor,
  item: WorkItem,
  steps: readonly PlannedStep[],
  protocolVersion: number,
): Promise<void> {
  await executor.pool.query(PLAN, [
    item.id,
    item.claim,
    steps.map((step) => step.id),
    steps.map((step) => step.kind),
    steps.map((step) => new Date(step.dueAtMs)),
    protocolVersion,
  ]);
}
