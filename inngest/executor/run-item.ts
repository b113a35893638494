import 'server-only';
import { applyAnswer, type Outcome } from './apply-answer';
import { callFunction } from './call-function';
import { loadRuns } from './load-runs';
import { saveStep } from './save-step';
import { CONTINUE, type Executor, type RunState, type WorkItem } from './types';

/** Ends a sleep: saves it as a step whose memo is null. */
async function wake(executor: Executor, item: WorkItem, run: RunState): Promise<Outcome> {
  const saved = await saveStep(executor, item, item.stepId, null, run.protocolVersion);
  return saved === 'continue' ? 'continue' : 'done';
}

/**
 * Does a claimed item and continues its run, step after step under the same lease, until the run ends, sleeps,
 * branches or must be retried.
 * @param mayContinue asked between calls; false leaves the rest to the executor that claims it next.
 */
export async function runItem(
  executor: Executor,
  claimed: WorkItem,
  loaded: RunState,
  mayContinue: () => boolean,
): Promise<Exclude<Outcome, 'continue'>> {
  let item = claimed;
  let run = loaded;
  for (;;) {
    const outcome =
      item.kind === 'SLEEP'
        ? await wake(executor, item, run)
        : await applyAnswer(executor, item, run, await callFunction(executor, run, item));
    if (outcome !== 'continue') return outcome;
    if (!mayContinue()) return 'done';
    // After a planned step the run also needs its siblings' memos, and only the database has those.
    if (item.stepId !== CONTINUE) run = (await loadRuns(executor, [item.runId])).get(item.runId) ?? run;
    item = { ...item, kind: 'CALL', stepId: CONTINUE, attempt: 0 };
  }
}
