import 'server-only';
import { log } from '@/lib/http/log';
import { pause } from '@/lib/outbox/pause';
import { decideWaiting } from './decide-waiting';
import { listQueues, type Queue } from './list-queues';

/** How soon this process looks again at a queue in which nobody waited. */
const LOOK_MS = 15;
const OVER_LOOK_MS = 1_000;
const AFTER_FAILURE_MS = 1_000;
const REFRESH_MS = 1_000;

/**
 * Decides the queues of all sales that have one, until `signal` fires. Any number of processes may do so. A sale that can't be
 * decided holds up no other; it is tried again after a second. While Postgres is away the last known sales go on.
 */
export async function runQueues(signal: AbortSignal): Promise<void> {
  let queues: Queue[] = [];
  let refreshAt = 0;
  const restsUntil = new Map<string, number>();
  const busy = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    const now = performance.now();
    if (now >= refreshAt) {
      queues = await listQueues().catch((err: unknown) => {
        log.warn({ err }, 'the sales with a queue could not be listed');
        return queues;
      });
      const known = new Set(queues.map(({ saleId }) => saleId));
      for (const saleId of restsUntil.keys()) if (!known.has(saleId)) restsUntil.delete(saleId);
      refreshAt = now + REFRESH_MS;
    }
    for (const queue of queues) {
      const { saleId } = queue;
      if (busy.has(saleId) || (restsUntil.get(saleId) ?? 0) > now) continue;
      const looking = lookAfter(queue, signal).then((restMs) => {
        restsUntil.set(saleId, performance.now() + restMs);
        busy.delete(saleId);
      });
      busy.set(saleId, looking);
    }
    await pause(queues.length > 0 ? LOOK_MS : REFRESH_MS, signal);
  }
  // The process must still remember the purchases that Redis has decided for it.
  await Promise.all(busy.values());
}

/** Decides all who wait in one queue. Never fails. @returns how long to leave it alone, ms */
async function lookAfter(queue: Queue, signal: AbortSignal): Promise<number> {
  try {
    while ((await decideWaiting(queue)) > 0 && !signal.aborted);
    return queue.isOver ? OVER_LOOK_MS : 0;
  } catch (err) {
    log.warn({ saleId: queue.saleId, err }, 'purchases that wait in a queue could not be decided');
    return AFTER_FAILURE_MS;
  }
}
