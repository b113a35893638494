import 'server-only';
import { newId } from './ids';
import { nextTick } from './parse-function';
import { startRuns } from './start-runs';
import type { Executor } from './types';

const CRON_EVENT = 'inngest/scheduled.timer';

/**
 * Starts the cron functions that have a tick after `afterMs` and not after now. The tick's time is the event id, so
 * one run starts however many executors do this. If several ticks were missed, only the first one after `afterMs`
 * runs.
 * @returns how many runs were started.
 */
export async function runCrons(executor: Executor, afterMs: number): Promise<number> {
  const nowMs = executor.config.clock();
  const found = await executor.pool.query<{ id: string; crons: string[] }>(
    `SELECT id, crons FROM executor.functions WHERE removed_at IS NULL AND crons <> '{}'`,
  );
  let started = 0;
  for (const { id, crons } of found.rows) {
    for (const cron of crons) {
      const tick = nextTick(cron, new Date(afterMs));
      if (!tick || tick.getTime() > nowMs) continue;
      // The real server writes times to the second.
      const key = tick.toISOString().replace('.000Z', 'Z');
      const payload = { name: CRON_EVENT, id: key, ts: tick.getTime(), data: { cron, scheduledAt: key } };
      const event = { id: newId(nowMs), key, ts: tick.getTime(), payload };
      started += await startRuns(executor, executor.pool, [event], () => [id]);
    }
  }
  return started;
}
