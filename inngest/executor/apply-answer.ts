import 'server-only';
import type { Answer, Op } from './call-function';
import { completeRun, failRun } from './finish-run';
import { reschedule } from './leases';
import { type PlannedStep, planSteps } from './plan-steps';
import { backoffDelayMs } from './retry-delay';
import { saveStep } from './save-step';
import type { Executor, RunState, WorkItem } from './types';
import { wakeAt } from './wake-at';

const MAX_STEPS = 1000;
/** How long the executor leaves an app alone that refuses connections. */
export const UNREACHABLE_PAUSE_MS = 1000;

/**
 * `continue`: call the function again at once. `queued`: there is work for a later claim. `unreachable`: there is
 * work for a later claim too, but the app can't be called for now. `done`: nothing more to do here.
 */
export type Outcome = 'continue' | 'queued' | 'unreachable' | 'done';

async function retry(
  executor: Executor,
  item: WorkItem,
  run: RunState,
  error: unknown,
  afterMs?: number,
): Promise<Outcome> {
  const { backoffMs, log } = executor.config;
  const fields = { run: run.runId, function: run.functionId, attempt: item.attempt, error };
  if (item.attempt + 1 >= run.maxAttempts) {
    log.error(fields, 'A run failed after its last attempt');
    await failRun(executor, item, run, error);
    return 'done';
  }
  log.warn(fields, 'A call failed and will be retried');
  await reschedule(executor, item, item.attempt + 1, afterMs ?? backoffDelayMs(backoffMs, item.attempt));
  return 'queued';
}

/** Returns why the executor can't execute an op, or undefined if it can. */
function refusal({ op, displayName, name, opts }: Op): string | undefined {
  const isKnown = ['StepRun', 'StepError', 'StepFailed', 'StepPlanned', 'Sleep', 'RunComplete'].includes(op);
  const what = isKnown ? (opts?.parallelMode === 'race' ? 'parallelMode "race"' : undefined) : op;
  return what && `Step "${displayName ?? name}" uses ${what}, which the embedded executor does not support.`;
}

function plan(op: Op, nowMs: number): PlannedStep[] {
  if (op.op === 'StepPlanned') return [{ id: op.id, kind: 'CALL', dueAtMs: nowMs }];
  const dueAtMs = op.op === 'Sleep' ? wakeAt(op.name ?? '', nowMs) : undefined;
  return dueAtMs === undefined ? [] : [{ id: op.id, kind: 'SLEEP', dueAtMs }];
}

async function applyOps(
  executor: Executor,
  item: WorkItem,
  run: RunState,
  answer: Answer & { status: 'steps' },
): Promise<Outcome> {
  const { ops, protocolVersion } = answer;
  const fail = async (message: string): Promise<Outcome> => {
    executor.config.log.error({ run: run.runId, function: run.functionId }, message);
    await failRun(executor, item, run, { name: 'ExecutorError', message });
    return 'done';
  };
  const refused = ops.map(refusal).find((reason) => reason !== undefined);
  if (refused) return fail(refused);
  if (protocolVersion !== 2)
    return fail(`Protocol version ${protocolVersion} (optimizeParallelism: false) is not supported.`);
  if (run.memos.length + ops.length > MAX_STEPS) return fail(`The run has more than ${MAX_STEPS} steps.`);

  const [op] = ops;
  if (ops.length === 1 && op) {
    const outcome = { StepRun: { data: op.data ?? null }, StepFailed: { error: op.error ?? op.data } }[op.op];
    if (op.op === 'RunComplete')
      return applyAnswer(executor, item, run, { status: 'completed', result: op.data ?? null });
    if (op.op === 'StepError') return retry(executor, item, run, op.error, answer.readRetryAfterMs);
    if (outcome) {
      const saved = await saveStep(executor, item, op.id, outcome, protocolVersion);
      if (saved !== 'continue') return 'done';
      run.memos.push([op.id, outcome]);
      run.protocolVersion = protocolVersion;
      return 'continue';
    }
  }
  const steps = ops.flatMap((each) => plan(each, executor.config.clock()));
  if (steps.length < ops.length) {
    return fail(
      `These steps can't be planned: ${ops.map((each) => `${each.op} "${each.name}"`).join(', ')}.`,
    );
  }
  await planSteps(executor, item, steps, protocolVersion);
  return 'queued';
}

/** Commits what an answer means for the run. After the commit, a crash can only repeat calls that were not answered. */
export async function applyAnswer(
  executor: Executor,
  item: WorkItem,
  run: RunState,
  answer: Answer,
): Promise<Outcome> {
  switch (answer.status) {
    case 'completed':
      await completeRun(executor, item, answer.result);
      return 'done';
    case 'steps':
      return applyOps(executor, item, run, answer);
    case 'failed':
      executor.config.log.error(
        { run: run.runId, function: run.functionId, error: answer.error },
        'A run failed',
      );
      await failRun(executor, item, run, answer.error);
      return 'done';
    case 'retry':
      return retry(executor, item, run, answer.error, answer.readRetryAfterMs);
    case 'unreachable':
      // No function ran, so this uses up no attempt: a restart of the app must not fail the runs it interrupts.
      await reschedule(executor, item, item.attempt, UNREACHABLE_PAUSE_MS);
      return 'unreachable';
  }
}
