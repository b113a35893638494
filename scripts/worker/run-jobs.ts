import { isOutage } from '@/lib/errors/is-outage';
import { backoffMs } from '@/lib/outbox/backoff';
import { pause } from '@/lib/outbox/pause';
import type { RelayLog } from '@/lib/outbox/types';
import type { Job } from './jobs';

const RETRY_MAX_MS = 60_000;
/** From so many failures in a row on, a server that is away is reported as an error. */
const FAULT_FROM = 3;

/**
 * Runs each job in its own loop until `signal` fires: the next run starts `everyMs` after the last has ended, later
 * after failures. A job that may wait gets the signal, so that it holds up nobody.
 */
export async function runJobs(jobs: readonly Job[], log: RelayLog, signal: AbortSignal): Promise<void> {
  await Promise.all(jobs.map((job) => runJob(job, log, signal)));
}

async function runJob({ name, everyMs, run }: Job, log: RelayLog, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await run(signal);
      failures = 0;
    } catch (err) {
      if (signal.aborted) return;
      failures += 1;
      // A server that is starting or busy for a moment is no fault; one that stays away is.
      const isPassing = failures < FAULT_FROM && isOutage(err);
      log[isPassing ? 'warn' : 'error']({ job: name, failures, err }, 'job failed');
    }
    await pause(
      failures === 0 ? everyMs : Math.max(everyMs, backoffMs(failures, everyMs, RETRY_MAX_MS)),
      signal,
    );
  }
}
