import 'server-only';
import { UNREACHABLE_PAUSE_MS } from './apply-answer';
import { claimWork } from './claim-work';
import { releaseLeases, renewLeases } from './leases';
import { loadRuns } from './load-runs';
import { runItem } from './run-item';
import type { Executor, RunState, WorkItem } from './types';
import { createWakeLoop } from './wake-loop';

/** Claims work and does it, as many calls at a time as the configuration allows. */
export interface Dispatcher {
  /** Tells the dispatcher that there may be work now. */
  wake(): void;
  /** Stops claiming, waits for the calls in flight and gives back the items that are left. */
  stop(): Promise<void>;
}

async function nextDueMs(executor: Executor): Promise<number | undefined> {
  const found = await executor.pool.query<{ due: Date | null }>({
    name: 'executor-next-due',
    text: `SELECT min(due.due_at) AS due FROM executor.functions f CROSS JOIN LATERAL (
             SELECT due_at FROM executor.queue WHERE function_id = f.id ORDER BY due_at LIMIT 1) due`,
  });
  return found.rows[0]?.due?.getTime();
}

/** Claims work, and loads the run that each item belongs to. */
async function claimWithRuns(executor: Executor, limit: number) {
  const items = await claimWork(executor, limit);
  if (items.length === 0) return [];
  const runs = await loadRuns(
    executor,
    items.map((item) => item.runId),
  );
  return items.map((item) => ({ item, run: runs.get(item.runId) }));
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, tooLate]);
  clearTimeout(timer);
}

export function createDispatcher(executor: Executor): Dispatcher {
  const { config } = executor;
  const inFlight = new Map<WorkItem, Promise<void>>();
  let stopping = false;
  /**
   * Due work is left that the dispatcher could not claim, because no slot was free or a concurrency limit was
   * reached. It looks again when a call ends.
   */
  let hasBacklog = false;
  let pausedUntilMs = 0;

  const logFailure = (message: string) => (error: unknown) => config.log.error({ err: error }, message);

  async function work(item: WorkItem, run: RunState) {
    let outcome: Awaited<ReturnType<typeof runItem>> | undefined;
    try {
      outcome = await runItem(executor, item, run, () => !stopping);
      if (outcome === 'unreachable') pausedUntilMs = Date.now() + UNREACHABLE_PAUSE_MS;
    } catch (error) {
      // The answer was not saved, so the item is not done: its lease runs out and an executor claims it again.
      config.log.error({ err: error, run: item.runId }, 'An answer could not be saved');
    } finally {
      inFlight.delete(item);
      if (outcome === 'queued' || hasBacklog) loop.wake();
    }
  }

  /** Claims as much as there are free slots for. Returns after how many ms there may be more. */
  async function claim(isWoken: () => boolean): Promise<number> {
    const pauseMs = pausedUntilMs - Date.now();
    if (pauseMs > 0) return pauseMs;
    const free = config.maxConcurrentCalls - inFlight.size;
    hasBacklog = free <= 0;
    if (hasBacklog) return config.pollMs;

    const lookedAtMs = config.clock();
    const claimed = await claimWithRuns(executor, free);
    for (const { item, run } of claimed) if (run) inFlight.set(item, work(item, run));
    if (claimed.length === free || isWoken()) return 0;

    const dueAtMs = (await nextDueMs(executor)) ?? Number.POSITIVE_INFINITY;
    // An item that became due during this look is no backlog: perhaps no call is in flight whose end would make us
    // look again.
    hasBacklog = dueAtMs <= lookedAtMs;
    return hasBacklog ? config.pollMs : dueAtMs - config.clock();
  }

  const onError = logFailure('Work could not be claimed');
  const loop = createWakeLoop(claim, { pollMs: config.pollMs, onError });

  const renewal = setInterval(() => {
    renewLeases(
      executor,
      [...inFlight.keys()].map((item) => item.id),
    ).catch(logFailure('Leases could not be renewed'));
  }, config.leaseMs / 3);

  return {
    wake: loop.wake,
    async stop() {
      stopping = true;
      await loop.stop();
      await waitAtMost(config.stopTimeoutMs, Promise.all(inFlight.values()));
      clearInterval(renewal);
      await releaseLeases(executor);
    },
  };
}
