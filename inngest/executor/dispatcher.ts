import 'server-only';
import { UNREACHABLE_PAUSE_MS } from './apply-answer';
import { claimWork } from './claim-work';
import { releaseLeases, renewLeases } from './leases';
import { loadRuns } from './load-runs';
import { runItem } from './run-item';
import type { Executor, RunState, WorkItem } from './types';

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

export function createDispatcher(executor: Executor): Dispatcher {
  const { config } = executor;
  const inFlight = new Map<WorkItem, Promise<void>>();
  let stopping = false;
  let pumping: Promise<void> | undefined;
  let isWoken = false;
  /**
   * Due work is left that the dispatcher could not claim, because no slot was free or a concurrency limit was
   * reached. It looks again when a call ends.
   */
  let hasBacklog = false;
  let pausedUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const logFailure = (message: string) => (error: unknown) => config.log.error({ err: error }, message);

  function wakeIn(ms: number) {
    clearTimeout(timer);
    if (!stopping) timer = setTimeout(wake, Math.max(1, Math.min(ms, config.pollMs)));
  }

  async function work(item: WorkItem, run: RunState) {
    try {
      const outcome = await runItem(executor, item, run, () => !stopping);
      if (outcome === 'unreachable') pausedUntilMs = Date.now() + UNREACHABLE_PAUSE_MS;
      if (outcome === 'queued') isWoken = true;
    } catch (error) {
      // The answer was not saved, so the item is not done: its lease runs out and an executor claims it again.
      config.log.error({ err: error, run: item.runId }, 'An answer could not be saved');
    } finally {
      inFlight.delete(item);
      if (isWoken || hasBacklog) wake();
    }
  }

  /** Claims until no work or no slot is left. */
  async function pump() {
    do {
      isWoken = false;
      const free = config.maxConcurrentCalls - inFlight.size;
      const pauseMs = pausedUntilMs - Date.now();
      if (pauseMs > 0) return wakeIn(pauseMs);
      hasBacklog = free <= 0;
      if (free <= 0) return wakeIn(config.pollMs);

      const lookedAtMs = config.clock();
      const items = await claimWork(executor, free);
      if (items.length > 0) {
        const runs = await loadRuns(
          executor,
          items.map((item) => item.runId),
        );
        for (const item of items) {
          const run = runs.get(item.runId);
          if (run) inFlight.set(item, work(item, run));
        }
      }
      if (items.length === free) isWoken = true;
      else if (!isWoken) {
        const dueAtMs = (await nextDueMs(executor)) ?? Number.POSITIVE_INFINITY;
        // An item that became due during this look is no backlog: perhaps no call is in flight whose end would make
        // us look again.
        hasBacklog = dueAtMs <= lookedAtMs;
        wakeIn(hasBacklog ? config.pollMs : dueAtMs - config.clock());
      }
    } while (isWoken && !stopping);
  }

  function wake() {
    isWoken = true;
    if (pumping || stopping) return;
    pumping = pump()
      .catch((error: unknown) => {
        logFailure('Work could not be claimed')(error);
        wakeIn(config.pollMs);
      })
      .finally(() => {
        pumping = undefined;
        // A wake-up came after the last look and before this line.
        if (isWoken) wake();
      });
  }

  const renewal = setInterval(() => {
    renewLeases(
      executor,
      [...inFlight.keys()].map((item) => item.id),
    ).catch(logFailure('Leases could not be renewed'));
  }, config.leaseMs / 3);

  return {
    wake,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await pumping;
      let deadline: NodeJS.Timeout | undefined;
      const tooLate = new Promise<void>((resolve) => {
        deadline = setTimeout(resolve, config.stopTimeoutMs);
      });
      await Promise.race([Promise.all(inFlight.values()), tooLate]);
      clearTimeout(deadline);
      clearInterval(renewal);
      await releaseLeases(executor);
    },
  };
}
